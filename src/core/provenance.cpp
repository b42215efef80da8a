// What tells one run from another: the time, the machine, and hashes of what was read.
#include "core/provenance.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/content_hash.hpp"

namespace ravi {

std::string utc_time() {
  std::time_t now = std::time(nullptr);
  if (const char* epoch = std::getenv("SOURCE_DATE_EPOCH")) {
    const char* const end = epoch + std::strlen(epoch);
    long long given = 0;
    if (std::from_chars(epoch, end, given).ptr == end && end != epoch) now = given;
  }
  std::tm utc{};
  if (gmtime_r(&now, &utc) == nullptr) return {};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", utc.tm_year + 1900, utc.tm_mon + 1,
                     utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec);
}

std::string platform_name() {
  utsname names{};
  return uname(&names) == 0 ? fmt::format("{} {}", names.sysname, names.machine) : std::string();
}

std::string file_hash(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  std::ifstream in(path, std::ios::binary);
  if (!in) return {};
  const std::string content(std::istreambuf_iterator<char>(in), {});
  return content_hash(std::span(&content, 1));
}

}  // namespace ravi
