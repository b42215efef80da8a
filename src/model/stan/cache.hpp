// Where compiled libraries are kept. What is there is run, so nobody else may have written it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace ravi {

// stan_cache_folder(), made if it is not there. Throws EnvironmentError, with what to do about it,
// when it cannot be, or when others can write to it or to a folder on the way to it.
std::filesystem::path open_cache();

// The content of a file of the cache; nothing when there is none that this user, or root, alone can
// have written. No link is followed.
std::optional<std::string> read_kept(const std::filesystem::path& file);
// Throws EnvironmentError.
void keep(const std::filesystem::path& file, const std::string& content);

}  // namespace ravi
