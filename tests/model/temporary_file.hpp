// A file with given contents that lasts as long as its object, and the message of an exception.
#pragma once

#include <string>
#include <string_view>

#include "ravi/error.hpp"
#include "temporary_folder.hpp"

namespace ravi {

class TemporaryFile {
 public:
  TemporaryFile(const std::string& extension, std::string_view contents)
      : path_(folder_.write("file" + extension, std::string(contents))) {}

  const std::string& path() const { return path_; }

 private:
  TemporaryFolder folder_;
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
