// Files that are there whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/file_lock.hpp"

namespace ravi {

// Takes the next piece of a file. Throws EnvironmentError when it cannot be stored.
using Sink = std::function<void(std::string_view)>;

// Writes to a temporary file beside the target, flushes it to disk and renames it: whatever
// happens, the target is the old file, the new one, or absent. The temporary file is called
// NAME.ravi-tmp, the process id and a random number, and is new; only a process that was killed
// leaves one behind. A link in the target's place is replaced, not followed; what is not a file is
// refused. Throws EnvironmentError with the path and the system's reason.
void write_atomically(const std::filesystem::path& path, std::string_view text);
// The same, piece by piece; what write() throws leaves the target as it was.
void write_atomically(const std::filesystem::path& path,
                      const std::function<void(const Sink&)>& write);

// Makes the folder, checks that a file can be made in it, so that a fit need not run for an hour to
// learn that it cannot be saved, and keeps others from writing there until the lock is dropped;
// removes the temporary files of processes that are gone. Throws EnvironmentError, and UsageError
// when there is a file in the folder's place, or one of the files is there already and overwrite is
// false.
[[nodiscard]] std::unique_ptr<FolderLock> prepare_folder(const std::filesystem::path& folder,
                                                         const std::vector<std::string>& files,
                                                         bool overwrite);
// Throws UsageError when one of the files is there.
void refuse_existing(const std::filesystem::path& folder, const std::vector<std::string>& files);

}  // namespace ravi
