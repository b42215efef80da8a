# Installs the library so that find_package(ravi) offers ravi::ravi to other projects.
include(CMakePackageConfigHelpers)

set(ravi_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ravi)
install(TARGETS ravi EXPORT ravi-targets FILE_SET HEADERS)
# Installed whether or not Stan Math is here: it is looked for where ravi is used.
install(FILES include/ravi/autodiff.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ravi)
install(FILES cmake/autodiff.cmake DESTINATION ${ravi_package_dir} RENAME ravi-autodiff.cmake)
install(EXPORT ravi-targets NAMESPACE ravi:: DESTINATION ${ravi_package_dir})

configure_package_config_file(cmake/ravi-config.cmake.in cmake/ravi-config.cmake
  INSTALL_DESTINATION ${ravi_package_dir})
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/ravi-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/cmake/ravi-config.cmake
  ${PROJECT_BINARY_DIR}/cmake/ravi-config-version.cmake
  DESTINATION ${ravi_package_dir})
