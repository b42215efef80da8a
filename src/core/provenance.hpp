// What tells one run from another: the time, the machine, and hashes of what was read.
#pragma once

#include <string>

namespace ravi {

// "2026-11-18T02:20:07Z". SOURCE_DATE_EPOCH, seconds since 1970, is taken for the time where it is
// set, so that a run can be repeated to the byte (reproducible-builds.org).
std::string utc_time();

// "Linux x86_64".
std::string platform_name();

// content_hash() of a file's bytes; empty when it is not a file that can be read again.
std::string file_hash(const std::string& path);

}  // namespace ravi
