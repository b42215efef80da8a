not netCDF
