# Defines ravi::autodiff, what ravi/autodiff.hpp needs, when Stan Math and Boost are there, and sets
# ravi_autodiff_FOUND. Used by ravi's own build and, installed, by find_package(ravi).
if(TARGET ravi::autodiff)
  set(ravi_autodiff_FOUND TRUE)
  return()
endif()

# Set STAN_MATH_INCLUDE for a Stan Math that is neither installed for R nor beside other headers. Its
# additions to Eigen are found in one place in Debian 12, Stan 2.21, and in the other in Debian 13, 2.32.
set(ravi_eigen_plugins stan/math/prim/eigen_plugins.h stan/math/prim/mat/eigen_plugins.h)
set(ravi_r_libraries
  /usr/local/lib/R/site-library /usr/lib/R/site-library /usr/lib/R/library /usr/lib64/R/library)
find_path(STAN_MATH_INCLUDE NAMES ${ravi_eigen_plugins}
  HINTS ENV R_LIBS_USER ENV R_LIBS_SITE
  PATHS ${ravi_r_libraries}
  PATH_SUFFIXES StanHeaders/include)
# The solvers of stiff differential equations, compiled; everything else is in the headers.
find_library(STAN_MATH_SUNDIALS StanHeaders HINTS ${STAN_MATH_INCLUDE}/../lib NO_DEFAULT_PATH)
mark_as_advanced(STAN_MATH_INCLUDE STAN_MATH_SUNDIALS)
find_package(Boost QUIET CONFIG)
find_package(TBB QUIET)

set(ravi_autodiff_FOUND FALSE)
if(NOT (STAN_MATH_INCLUDE AND TARGET Boost::headers AND TARGET TBB::tbb))
  set(ravi_autodiff_NOT_FOUND_MESSAGE
    "ravi::autodiff needs Stan Math, Boost and TBB (Debian: r-cran-stanheaders libboost-dev libtbb-dev)")
  return()
endif()

list(GET ravi_eigen_plugins 0 ravi_eigen_plugin)
if(NOT EXISTS ${STAN_MATH_INCLUDE}/${ravi_eigen_plugin})
  list(GET ravi_eigen_plugins 1 ravi_eigen_plugin)
endif()

# In ravi's own build the target is an ordinary one, so that projects that contain ravi can use it;
# a package's targets are imported, so that projects that link them can be exported.
get_target_property(ravi_is_imported ravi::ravi IMPORTED)
if(ravi_is_imported)
  set(ravi_autodiff ravi::autodiff)
  add_library(ravi::autodiff INTERFACE IMPORTED)
else()
  set(ravi_autodiff ravi_autodiff)
  add_library(ravi_autodiff INTERFACE)
  add_library(ravi::autodiff ALIAS ravi_autodiff)
endif()
target_include_directories(${ravi_autodiff} SYSTEM INTERFACE ${STAN_MATH_INCLUDE})
# Stan Math adds members to Eigen's matrices, and since 2.26 to its arrays; given to the compiler, it
# does so whichever of the headers comes first. It looks for TBB's version where that no longer is,
# wants to be told that there are threads, and is meant to run without Boost's assertions, which would
# end the program where it throws.
target_compile_definitions(${ravi_autodiff} INTERFACE
  STAN_THREADS
  _REENTRANT
  BOOST_DISABLE_ASSERTS
  EIGEN_MATRIXBASE_PLUGIN="${ravi_eigen_plugin}"
  EIGEN_STAN_MATRIXBASE_PLUGIN=
  TBB_INTERFACE_NEW)
if(NOT ravi_eigen_plugin MATCHES "/mat/")
  target_compile_definitions(${ravi_autodiff} INTERFACE
    EIGEN_ARRAYBASE_PLUGIN="${ravi_eigen_plugin}" EIGEN_STAN_ARRAYBASE_PLUGIN=)
endif()
target_link_libraries(${ravi_autodiff} INTERFACE ravi::ravi Boost::headers TBB::tbb)
if(STAN_MATH_SUNDIALS)
  target_link_libraries(${ravi_autodiff} INTERFACE ${STAN_MATH_SUNDIALS})
endif()
set(ravi_autodiff_FOUND TRUE)
