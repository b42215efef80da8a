// The functions of netCDF, loaded when a file is first written or read.
#pragma once

#include <netcdf.h>
#include <netcdf_mem.h>

namespace ravi {

// netCDF brings forty libraries with it, whose loading takes longer than many a fit, and most runs
// of the program write or read no fit.nc.
struct NetcdfLibrary {
  decltype(&nc_strerror) strerror;
  decltype(&nc_create_mem) create_mem;
  decltype(&nc_open) open;
  decltype(&nc_close) close;
  decltype(&nc_close_memio) close_memio;
  decltype(&nc_def_grp) def_grp;
  decltype(&nc_def_dim) def_dim;
  decltype(&nc_def_var) def_var;
  decltype(&nc_def_var_deflate) def_var_deflate;
  decltype(&nc_put_att_double) put_att_double;
  decltype(&nc_put_att_longlong) put_att_longlong;
  decltype(&nc_put_att_string) put_att_string;
  decltype(&nc_put_att_text) put_att_text;
  decltype(&nc_put_var_double) put_var_double;
  decltype(&nc_put_var_longlong) put_var_longlong;
  decltype(&nc_inq_grp_ncid) inq_grp_ncid;
  decltype(&nc_inq_dimid) inq_dimid;
  decltype(&nc_inq_dimlen) inq_dimlen;
  decltype(&nc_inq_varid) inq_varid;
  decltype(&nc_inq_varndims) inq_varndims;
  decltype(&nc_inq_vardimid) inq_vardimid;
  decltype(&nc_inq_attid) inq_attid;
  decltype(&nc_get_var_double) get_var_double;
  decltype(&nc_get_att_longlong) get_att_longlong;
};

// Throws EnvironmentError where it cannot be loaded; once it could, it stays.
const NetcdfLibrary& netcdf();

}  // namespace ravi
