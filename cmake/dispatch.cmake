# The library of a package: compiled for every x86-64 processor, and once more for those with AVX2 and
# FMA (x86-64-v3). The loader of glibc 2.33 and later looks into glibc-hwcaps/ of every folder of
# libraries first, so the choice is made when a program starts, and covers all of ravi.
if(NOT RAVI_X86_64_V3)
  return()
endif()
if(RAVI_NATIVE OR NOT BUILD_SHARED_LIBS)
  message(FATAL_ERROR "RAVI_X86_64_V3 needs BUILD_SHARED_LIBS=ON and RAVI_NATIVE=OFF: the loader \
chooses between two shared libraries, of which one is for every processor")
endif()

include(CheckCXXSourceCompiles)
include(CMakePushCheckState)
cmake_push_check_state()
set(CMAKE_REQUIRED_FLAGS -march=x86-64-v3)
check_cxx_source_compiles("
#include <features.h>
#if !__GLIBC_PREREQ(2, 33)
#error older than glibc-hwcaps
#endif
int main() { return 0; }" RAVI_HAS_X86_64_V3)
cmake_pop_check_state()
if(NOT RAVI_HAS_X86_64_V3)
  message(STATUS "No library for x86-64-v3: that needs x86-64, glibc 2.33 and a compiler that knows it")
  return()
endif()

set(ravi_v3_folder glibc-hwcaps/x86-64-v3)
ravi_library(ravi_x86_64_v3)
target_compile_options(ravi_x86_64_v3 PRIVATE -march=x86-64-v3)
# At the same place beside libravi.so as when installed, so that the tests run what users will.
set_target_properties(ravi_x86_64_v3 PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${ravi_v3_folder})
add_dependencies(ravi ravi_x86_64_v3) # whoever builds one builds both
install(TARGETS ravi_x86_64_v3
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/${ravi_v3_folder} NAMELINK_SKIP)
