// netCDF-4 files in as much as ravi writes and reads them.
#include "output/netcdf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <utility>

#include "output/netcdf_library.hpp"
#include "ravi/error.hpp"

namespace ravi {
namespace {

// Variables with fewer numbers gain nothing from compression.
constexpr std::size_t kLarge = 4096;
constexpr int kShuffle = 1, kDeflate = 1, kDeflateLevel = 1;

// Places, counts and what is constant. Of other numbers all but the first digits are noise: of the
// eight schools, zlib took over half of the time of all output files, and fit.nc was 11 % shorter.
bool worth_compressing(const std::vector<double>& values) {
  const auto whole = [](double x) { return x == std::floor(x); };
  return values.size() >= kLarge && 2 * std::ranges::count_if(values, whole) >= std::ssize(values);
}
bool worth_compressing(const std::vector<std::int64_t>& values) { return values.size() >= kLarge; }

std::mutex& hdf5_mutex() {
  static std::mutex one_at_a_time;
  return one_at_a_time;
}

}  // namespace

void NetcdfGroup::check(int status, std::string_view object) const {
  if (status == NC_NOERR) return;
  throw EnvironmentError(
      fmt::format("netCDF: {} in {}: {}", object, name_, netcdf().strerror(status)));
}

NetcdfGroup NetcdfGroup::add_group(const std::string& name) const {
  int id = 0;
  check(netcdf().def_grp(id_, name.c_str(), &id), name);
  return {*file_, id, name};
}

void NetcdfGroup::add_attribute(const char* name, std::string_view value) const {
  describe(NC_GLOBAL, name, value);
}

void NetcdfGroup::add_attribute(const char* name, double value) const {
  add_attribute(name, std::vector{value});
}

void NetcdfGroup::add_attribute(const char* name, std::int64_t value) const {
  add_attribute(name, std::vector{value});
}

void NetcdfGroup::add_attribute(const char* name, const std::vector<double>& values) const {
  check(netcdf().put_att_double(id_, NC_GLOBAL, name, NC_DOUBLE, values.size(), values.data()),
        name);
}

void NetcdfGroup::add_attribute(const char* name, const std::vector<std::int64_t>& values) const {
  const std::vector<long long> wide(values.begin(), values.end());
  check(netcdf().put_att_longlong(id_, NC_GLOBAL, name, NC_INT64, wide.size(), wide.data()), name);
}

void NetcdfGroup::add_attribute(const char* name, const std::vector<std::string>& values) const {
  std::vector<const char*> texts;
  for (const std::string& value : values) texts.push_back(value.c_str());
  check(netcdf().put_att_string(id_, NC_GLOBAL, name, texts.size(), texts.data()), name);
}

void NetcdfGroup::describe(int variable, const char* attribute, std::string_view value) const {
  check(netcdf().put_att_text(id_, variable, attribute, value.size(), value.data()), attribute);
}

int NetcdfGroup::add_dimension(const std::string& name, Index size) const {
  int id = 0;
  check(netcdf().def_dim(id_, name.c_str(), static_cast<std::size_t>(size), &id), name);
  return id;
}

int NetcdfGroup::add_coordinate(const std::string& name, Index size) const {
  std::vector<std::int64_t> places(static_cast<std::size_t>(size));
  std::iota(places.begin(), places.end(), std::int64_t{0});
  const int dimension = add_dimension(name, size);
  add_variable(name, {dimension}, places);
  return dimension;
}

int NetcdfGroup::define(const std::string& name, int type, const std::vector<int>& dimensions,
                        bool compressed) const {
  int id = 0;
  check(netcdf().def_var(id_, name.c_str(), type, static_cast<int>(dimensions.size()),
                         dimensions.data(), &id),
        name);
  if (compressed) check(netcdf().def_var_deflate(id_, id, kShuffle, kDeflate, kDeflateLevel), name);
  return id;
}

int NetcdfGroup::add_variable(const std::string& name, const std::vector<int>& dimensions,
                              std::vector<double> values) const {
  const int id = define(name, NC_DOUBLE, dimensions, worth_compressing(values));
  file_->pending_.emplace_back([group = *this, id, name, numbers = std::move(values)] {
    group.check(netcdf().put_var_double(group.id_, id, numbers.data()), name);
  });
  return id;
}

int NetcdfGroup::add_variable(const std::string& name, const std::vector<int>& dimensions,
                              const std::vector<std::int64_t>& values) const {
  const int id = define(name, NC_INT64, dimensions, worth_compressing(values));
  file_->pending_.emplace_back(
      [group = *this, id, name, wide = std::vector<long long>(values.begin(), values.end())] {
        group.check(netcdf().put_var_longlong(group.id_, id, wide.data()), name);
      });
  return id;
}

bool NetcdfGroup::has_group(const std::string& name) const {
  int id = 0;
  return netcdf().inq_grp_ncid(id_, name.c_str(), &id) == NC_NOERR;
}

NetcdfGroup NetcdfGroup::group(const std::string& name) const {
  int id = 0;
  check(netcdf().inq_grp_ncid(id_, name.c_str(), &id), name);
  return {*file_, id, name};
}

Index NetcdfGroup::dimension(const std::string& name) const {
  int id = 0;
  std::size_t size = 0;
  check(netcdf().inq_dimid(id_, name.c_str(), &id), name);
  check(netcdf().inq_dimlen(id_, id, &size), name);
  return static_cast<Index>(size);
}

std::vector<double> NetcdfGroup::values(const std::string& name) const {
  int id = 0, rank = 0;
  check(netcdf().inq_varid(id_, name.c_str(), &id), name);
  check(netcdf().inq_varndims(id_, id, &rank), name);
  std::vector<int> dimensions(static_cast<std::size_t>(rank));
  check(netcdf().inq_vardimid(id_, id, dimensions.data()), name);
  std::size_t count = 1;
  for (const int dimension : dimensions) {
    std::size_t size = 0;
    check(netcdf().inq_dimlen(id_, dimension, &size), name);
    count *= size;
  }
  std::vector<double> result(count);
  check(netcdf().get_var_double(id_, id, result.data()), name);
  return result;
}

bool NetcdfGroup::has_attribute(const char* name) const {
  return netcdf().inq_attid(id_, NC_GLOBAL, name, nullptr) == NC_NOERR;
}

std::int64_t NetcdfGroup::attribute(const char* name) const {
  long long value = 0;
  check(netcdf().get_att_longlong(id_, NC_GLOBAL, name, &value), name);
  return value;
}

NetcdfFile::NetcdfFile() : only_one_(hdf5_mutex()) {
  // The name is never used as a path.
  const int status = netcdf().create_mem("fit.nc", NC_NETCDF4, 0, &id_);
  if (status != NC_NOERR)
    throw EnvironmentError(fmt::format("netCDF: {}", netcdf().strerror(status)));
}

NetcdfFile::NetcdfFile(const std::filesystem::path& path) : only_one_(hdf5_mutex()) {
  const int status = netcdf().open(path.c_str(), NC_NOWRITE, &id_);
  if (status != NC_NOERR) {
    throw UsageError(
        fmt::format("{}: cannot be read: {}", path.string(), netcdf().strerror(status)));
  }
}

NetcdfFile::~NetcdfFile() {
  if (id_ >= 0) netcdf().close(id_);
}

void NetcdfFile::finish(const Sink& sink) {
  for (const auto& write : pending_) write();
  pending_.clear();
  NC_memio image{};
  const int status = netcdf().close_memio(id_, &image);
  id_ = -1;
  const std::unique_ptr<void, decltype(&std::free)> owner(image.memory, &std::free);
  if (status != NC_NOERR)
    throw EnvironmentError(fmt::format("netCDF: {}", netcdf().strerror(status)));
  sink({static_cast<const char*>(image.memory), image.size});
}

}  // namespace ravi
