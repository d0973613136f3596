#include "sim/gen/gen_params.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/gen/gen_presets.h"

namespace stint::sim {
namespace {

using testing::HasSubstr;

std::string complaint(std::string_view key, std::string_view value) {
  GenSettings settings;
  const auto done = settings.set(key, value, true);
  return done ? "" : base::to_string(done.error());
}

TEST(GenParams, HaveKeysThatDiffer) {
  const auto params = gen_params();
  for (std::size_t i = 0; i < params.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(params[i].key, params[j].key);
  }
}

TEST(GenParams, ReadEachForm) {
  GenSettings settings;
  const std::vector<std::pair<const char*, const char*>> values{{"jobs", "12"},
                                                                {"load", "0.95"},
                                                                {"half_life", "1d"},
                                                                {"memory_per_gpu", "1Ti"},
                                                                {"week", "1 2 3 4 5 6 7"},
                                                                {"weights", "0.5 2"},
                                                                {"limits", "1h 4h"},
                                                                {"names", "a b-c"},
                                                                {"run_one", "0:1s 50:1m 100:1h"},
                                                                {"gangs", "0.25:1 8:2.5"},
                                                                {"save_every", "10m:1"},
                                                                {"pools", "h100:1:8:96:1Ti"}};
  for (const auto& [key, value] : values) {
    const auto done = settings.set(key, value, true);
    EXPECT_TRUE(done) << key << ": " << base::to_string(done.error());
    EXPECT_EQ(settings.text(key), value);
    EXPECT_TRUE(settings.is_by_hand(key));
  }
  const GenModel& model = settings.model();
  EXPECT_EQ(model.jobs, 12);
  EXPECT_EQ(model.load_milli, 950);
  EXPECT_EQ(model.limits, (std::vector<std::int64_t>{base::kHour, 4 * base::kHour}));
  EXPECT_EQ(model.gangs.front(), (GenWeighted{.value = 250, .weight = 1000}));
  EXPECT_EQ(model.run_one[1], (QuantileKnot{.milli_percent = 50'000, .value = base::kMinute}));
  EXPECT_EQ(model.pools.front().memory_mib, 1 << 20);
}

TEST(GenParams, AskForTheNearestKey) {
  EXPECT_THAT(complaint("sweep_shar", "0.1"), HasSubstr("did you mean sweep_share?"));
  EXPECT_THAT(complaint("xyzzy", "0.1"), HasSubstr("--show"));
}

TEST(GenParams, SayWhatTheyWant) {
  EXPECT_THAT(complaint("load", "-1"), HasSubstr("want a number"));
  EXPECT_THAT(complaint("load", "0"), HasSubstr("0 is outside 0.001 to 1000"));
  EXPECT_THAT(complaint("jobs", "1.5"), HasSubstr("want a whole number"));
  EXPECT_THAT(complaint("gangs", "8"), HasSubstr("lacks a colon"));
  EXPECT_THAT(complaint("gangs", "8:0"), HasSubstr("weight above 0"));
  EXPECT_THAT(complaint("gangs", "8:1 4:1"), HasSubstr("does not rise"));
  EXPECT_THAT(complaint("gangs", ""), HasSubstr("weight above 0"));
  EXPECT_THAT(complaint("limits", "4h 1h"), HasSubstr("does not rise"));
  EXPECT_THAT(complaint("names", "a a"), HasSubstr("twice"));
  EXPECT_THAT(complaint("names", "a/b"), HasSubstr("no name"));
  EXPECT_THAT(complaint("names", "7b"), HasSubstr("no name"));
  EXPECT_THAT(complaint("run_one", "0:1s 50:1h"), HasSubstr("end at 100"));
  EXPECT_THAT(complaint("run_one", "0:1s 50:1h 100:1m"), HasSubstr("does not rise"));
  EXPECT_THAT(complaint("run_one", "0:0s 100:1m"), HasSubstr("0s is outside"));
  EXPECT_THAT(complaint("pools", "h100:1:8"), HasSubstr("MODEL:WEIGHT"));
  EXPECT_THAT(complaint("pools", "h100:1:0:8:1Gi"), HasSubstr("no pool has GPUs"));
  EXPECT_THAT(complaint("half_life", "7"), HasSubstr("half_life"));
}

TEST(GenParams, KeepTheOldValueWhereTheNewOneIsRefused) {
  GenSettings settings;
  const std::string before = settings.text("gangs");
  const std::vector<GenWeighted> gangs = settings.model().gangs;
  EXPECT_FALSE(settings.set("gangs", "1:1 x:2", true));
  EXPECT_EQ(settings.text("gangs"), before);
  EXPECT_EQ(settings.model().gangs, gangs);
  EXPECT_FALSE(settings.is_by_hand("gangs"));
}

TEST(GenPresets, AreAllReadable) {
  for (const GenPreset& preset : gen_presets()) {
    EXPECT_TRUE(gen_settings(preset.name)) << preset.name;
  }
}

TEST(GenPresets, AskForTheNearestName) {
  const auto settings = gen_settings("phily");
  ASSERT_FALSE(settings);
  EXPECT_THAT(settings.error().message, HasSubstr("did you mean philly?"));
  EXPECT_THAT(gen_settings("borg").error().message, HasSubstr("there are philly, helios"));
}

}  // namespace
}  // namespace stint::sim
