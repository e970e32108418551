# `cmake --install`: the library, its headers, and what find_package(hinge) needs to offer hinge::hinge.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(HINGE_CONFIG_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/hinge)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hinge-config-version.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS hinge EXPORT hinge-targets)
include(cmake/public_headers.cmake)
hinge_included(HINGE_INSTALLED ${HINGE_PUBLIC})
foreach(header ${HINGE_INSTALLED})
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()
install(EXPORT hinge-targets NAMESPACE hinge:: DESTINATION ${HINGE_CONFIG_FOLDER})
install(FILES cmake/hinge-config.cmake cmake/FindRE2.cmake ${PROJECT_BINARY_DIR}/hinge-config-version.cmake DESTINATION ${HINGE_CONFIG_FOLDER})
