include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(ZLIB)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
find_package(RE2 QUIET)  # where the library has it
list(POP_BACK CMAKE_MODULE_PATH)
find_dependency(fmt)
find_dependency(nlohmann_json 3.11)
include(${CMAKE_CURRENT_LIST_DIR}/hinge-targets.cmake)
