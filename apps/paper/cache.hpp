// Results on disk, one small file per run, so that an interrupted evaluation goes on where it was.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/file_lock.hpp"
#include "paper/runs.hpp"

namespace ravi::paper {

class Cache {
 public:
  // Nobody else can have it at the same time. Throws EnvironmentError when it cannot be written to.
  explicit Cache(std::filesystem::path folder);

  // Nothing when the run has not been carried out by this very program, or its file is damaged.
  std::optional<Result> find(const Run& run) const;
  // Written whole or not at all; may be called from several threads.
  void store(const Run& run, const Result& result) const;

 private:
  std::filesystem::path path_of(const Run& run) const;
  std::filesystem::path folder_;
  std::string program_;
  std::unique_ptr<FolderLock> lock_;
};

}  // namespace ravi::paper
