#include "app/read_file.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace stint::app {
namespace {

using base::ErrorCode;
using testing::HasSubstr;

class ReadFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "stint-read-file-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(ReadFile, GivesAllBytes) {
  const std::string bytes("a\0b\r\n\xff", 6);
  EXPECT_EQ(read_file(write("f", bytes)).value(), bytes);
  EXPECT_EQ(read_file(write("empty", "")).value(), "");
  const std::string large(300'000, 'x');
  EXPECT_EQ(read_file(write("large", large)).value(), large);
}

TEST_F(ReadFile, ReadsFilesThatHideTheirSize) {
  EXPECT_THAT(read_file("/proc/self/status").value(), HasSubstr("Pid:"));
}

TEST_F(ReadFile, SaysThatAFileIsMissing) {
  const auto result = read_file(path("none"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::Refused);
  EXPECT_THAT(result.error().message, HasSubstr("no such file"));
  EXPECT_THAT(result.error().message, HasSubstr("none"));
  EXPECT_FALSE(read_file(write("file", "x") + "/below"));
}

TEST_F(ReadFile, RefusesAFolder) {
  const auto result = read_file(std::filesystem::temp_directory_path().string());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::Refused);
  EXPECT_THAT(result.error().message, HasSubstr("is a folder"));
}

TEST_F(ReadFile, SaysThatAFileMayNotBeRead) {
  if (::geteuid() == 0) GTEST_SKIP() << "the superuser may read everything";
  const std::string file = write("locked", "x");
  std::filesystem::permissions(file, std::filesystem::perms::none);
  const auto result = read_file(file);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::Refused);
  EXPECT_THAT(result.error().message, HasSubstr("may not be read"));
}

TEST_F(ReadFile, KeepsTheCapToTheByte) {
  const std::string file = write("f", "12345");
  EXPECT_EQ(read_file(file, 5).value(), "12345");
  const auto result = read_file(file, 4);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("larger than 4 bytes"));
  EXPECT_FALSE(read_file("/proc/self/status", 10));
}

}  // namespace
}  // namespace stint::app
