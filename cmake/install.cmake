# `cmake --install`: the library, its headers, and what find_package(hinge) needs to offer hinge::hinge.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(HINGE_CONFIG_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/hinge)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hinge-config-version.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS hinge EXPORT hinge-targets)
install(DIRECTORY hinge/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hinge FILES_MATCHING PATTERN "*.h")
install(EXPORT hinge-targets NAMESPACE hinge:: DESTINATION ${HINGE_CONFIG_FOLDER})
install(FILES cmake/hinge-config.cmake ${PROJECT_BINARY_DIR}/hinge-config-version.cmake DESTINATION ${HINGE_CONFIG_FOLDER})
