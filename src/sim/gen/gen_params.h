// The parameters of the generator by name: one table for presets, `--set`, `--show` and the docs.
//
// Every value is text in one of a few small languages (GenParam::form); presets use the same ones.
//
// Threads  a value without hidden state.
//
//   GenSettings settings;                            // defaults
//   STINT_TRY(..., settings.set("load", "0.95"))
//   STINT_TRY(const GenModel model, settings.model())
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "sim/gen/gen_model.h"

namespace stint::sim {

// How the text of a value is read.
enum class GenForm {
  Whole,            // 12
  Decimal,          // 0.85, at most three decimals
  Duration,         // 30m
  Memory,           // 64Gi
  Wholes,           // 1 2 3
  Decimals,         // 0.5 0.3
  Durations,        // 1h 4h, rising
  Words,            // vision nlp
  Quantiles,        // 0:1s 50:20m 100:7d, percent:length
  WeightedCounts,   // 1:80 8:20, number:weight
  WeightedLengths,  // 30m:2 1h:1, length:weight
  Pools,            // h100:3:8:96:1024Gi, model:weight:gpus:cpus:memory
};

// One parameter.
struct GenParam {
  using Member =
      std::variant<std::int64_t GenModel::*, std::vector<std::int64_t> GenModel::*,
                   std::vector<std::string> GenModel::*, std::vector<QuantileKnot> GenModel::*,
                   std::vector<GenWeighted> GenModel::*, std::vector<GenPool> GenModel::*>;
  std::string_view key;
  GenForm form;
  std::string_view standard;  // value where the preset says nothing
  std::int64_t min;           // of each number, in the unit of the model; of a list, of its items
  std::int64_t max;
  std::string_view meaning;  // one phrase
  Member member;
};

// All parameters, in the order of `--show`.
[[nodiscard]] std::span<const GenParam> gen_params();

// How values of this form are written, for messages: "a whole number such as 12".
[[nodiscard]] std::string_view gen_form_text(GenForm form);

// Values of all parameters as text, and which of them a person chose.
class GenSettings {
 public:
  GenSettings();

  // Puts a value of a preset or of a person in place.
  //   Errors  unknown key (with the nearest one), a value that is malformed or out of range.
  [[nodiscard]] base::Result<void> set(std::string_view key, std::string_view value, bool by_hand);

  [[nodiscard]] const std::string& text(std::string_view key) const;
  [[nodiscard]] bool is_by_hand(std::string_view key) const;
  [[nodiscard]] const GenModel& model() const { return model_; }

 private:
  std::vector<std::string> texts_;  // by index in gen_params()
  std::vector<bool> by_hand_;
  GenModel model_;
};

}  // namespace stint::sim
