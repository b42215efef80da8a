// Files that are there whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ravi {

// Writes to a temporary file beside the target, flushes it to disk and renames it: whatever
// happens, the target is the old file, the new one, or absent. Throws EnvironmentError with the
// path and the system's reason.
void write_atomically(const std::filesystem::path& path, std::string_view text);

// Makes the folder and checks that a file can be made in it, so that a fit need not run for an hour
// to learn that it cannot be saved. Throws UsageError, also when it holds a file called marker and
// overwrite is false.
void prepare_folder(const std::filesystem::path& folder, std::string_view marker, bool overwrite);

}  // namespace ravi
