// A file with given contents that lasts as long as its object, and the message of an exception.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "ravi/error.hpp"

namespace ravi {

class TemporaryFile {
 public:
  // Named after the running test, so that tests can run side by side.
  TemporaryFile(const std::string& extension, std::string_view contents) {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string("ravi_") + info->test_suite_name() + "_" + info->name();
    for (char& c : name) c = c == '/' ? '_' : c;
    path_ = (std::filesystem::temp_directory_path() / (name + extension)).string();
    std::ofstream(path_, std::ios::binary) << contents;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// What UsageError the call throws says, with the file's path shortened to FILE; "" if it throws
// none.
template <typename Call>
std::string usage_error(const std::string& path, Call&& call) {
  try {
    call();
  } catch (const UsageError& error) {
    std::string message = error.what();
    if (!path.empty() && message.starts_with(path)) message.replace(0, path.size(), "FILE");
    return message;
  }
  return "";
}

}  // namespace ravi
