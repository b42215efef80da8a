// netCDF-4 files in as much as ravi writes and reads them: groups, dimensions, variables,
// attributes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/files.hpp"
#include "ravi/model.hpp"

namespace ravi {

class NetcdfFile;

// A group of an open file. What netCDF refuses is an EnvironmentError that names the object.
class NetcdfGroup {
 public:
  NetcdfGroup(NetcdfFile& file, int id, std::string name)
      : file_(&file), id_(id), name_(std::move(name)) {}

  NetcdfGroup add_group(const std::string& name) const;
  void add_attribute(const char* name, std::string_view value) const;
  void add_attribute(const char* name, double value) const;
  void add_attribute(const char* name, std::int64_t value) const;
  void add_attribute(const char* name, const std::vector<double>& values) const;
  void add_attribute(const char* name, const std::vector<std::int64_t>& values) const;
  void add_attribute(const char* name, const std::vector<std::string>& values) const;

  // Sizes are positive: 0 would be a dimension without end.
  int add_dimension(const std::string& name, Index size) const;
  // A dimension with its coordinate variable, 0, 1, 2, ...
  int add_coordinate(const std::string& name, Index size) const;
  // Values with the last dimension running fastest; many whole ones are compressed.
  int add_variable(const std::string& name, const std::vector<int>& dimensions,
                   std::vector<double> values) const;
  int add_variable(const std::string& name, const std::vector<int>& dimensions,
                   const std::vector<std::int64_t>& values) const;
  void describe(int variable, const char* attribute, std::string_view value) const;

  bool has_group(const std::string& name) const;
  NetcdfGroup group(const std::string& name) const;
  Index dimension(const std::string& name) const;  // its size
  std::vector<double> values(const std::string& name) const;
  bool has_attribute(const char* name) const;
  std::int64_t attribute(const char* name) const;

 private:
  void check(int status, std::string_view object) const;
  int define(const std::string& name, int type, const std::vector<int>& dimensions,
             bool compressed) const;

  NetcdfFile* file_;
  int id_;
  std::string name_;  // for messages
};

// One file at a time in a process: HDF5, which netCDF-4 is made of, is not safe for threads.
class NetcdfFile {
 public:
  NetcdfFile();                                            // a new one, in memory
  explicit NetcdfFile(const std::filesystem::path& path);  // one to read
  ~NetcdfFile();
  NetcdfFile(const NetcdfFile&) = delete;
  NetcdfFile& operator=(const NetcdfFile&) = delete;

  NetcdfGroup root() { return {*this, id_, "/"}; }
  // Ends a new file and hands over its bytes, which are the same for the same content.
  void finish(const Sink& sink);

 private:
  friend class NetcdfGroup;

  std::unique_lock<std::mutex> only_one_;
  int id_ = -1;
  // Values of variables, written when all are defined: a definition after values makes HDF5 write
  // its tables out, before the next values.
  std::vector<std::function<void()>> pending_;
};

}  // namespace ravi
