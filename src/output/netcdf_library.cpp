// Loads netCDF and looks its functions up.
#include "output/netcdf_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "ravi/error.hpp"

namespace ravi {
namespace {

[[noreturn]] void missing() {
  throw EnvironmentError(
      fmt::format("fit.nc needs netCDF, which cannot be loaded: {}", ::dlerror()));
}

template <typename Function>
void look_up(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) missing();
}

NetcdfLibrary load() {
  // Never closed: HDF5 has work to do when the process ends.
  void* library = ::dlopen(RAVI_NETCDF, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) missing();
  NetcdfLibrary f{};
  look_up(library, "nc_strerror", f.strerror);
  look_up(library, "nc_create_mem", f.create_mem);
  look_up(library, "nc_open", f.open);
  look_up(library, "nc_close", f.close);
  look_up(library, "nc_close_memio", f.close_memio);
  look_up(library, "nc_def_grp", f.def_grp);
  look_up(library, "nc_def_dim", f.def_dim);
  look_up(library, "nc_def_var", f.def_var);
  look_up(library, "nc_def_var_deflate", f.def_var_deflate);
  look_up(library, "nc_put_att_double", f.put_att_double);
  look_up(library, "nc_put_att_longlong", f.put_att_longlong);
  look_up(library, "nc_put_att_string", f.put_att_string);
  look_up(library, "nc_put_att_text", f.put_att_text);
  look_up(library, "nc_put_var_double", f.put_var_double);
  look_up(library, "nc_put_var_longlong", f.put_var_longlong);
  look_up(library, "nc_inq_grp_ncid", f.inq_grp_ncid);
  look_up(library, "nc_inq_dimid", f.inq_dimid);
  look_up(library, "nc_inq_dimlen", f.inq_dimlen);
  look_up(library, "nc_inq_varid", f.inq_varid);
  look_up(library, "nc_inq_varndims", f.inq_varndims);
  look_up(library, "nc_inq_vardimid", f.inq_vardimid);
  look_up(library, "nc_inq_attid", f.inq_attid);
  look_up(library, "nc_get_var_double", f.get_var_double);
  look_up(library, "nc_get_att_longlong", f.get_att_longlong);
  return f;
}

}  // namespace

const NetcdfLibrary& netcdf() {
  static const NetcdfLibrary library = load();
  return library;
}

}  // namespace ravi
