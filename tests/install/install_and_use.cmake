# Installs BUILD into a fresh folder, runs the program there, builds PROJECT against the library, and runs that too.
set(folder ${BUILD}/tests/installed)
file(REMOVE_RECURSE ${folder})

execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${folder}/prefix OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${folder}/prefix/bin/hinge --version COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${PROJECT} -B ${folder}/build -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${folder}/prefix
          -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${FLAGS} -DEXAMPLES=${PROJECT}/../../examples
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${folder}/build COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${folder}/build/outside COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${folder}/build/matching WORKING_DIRECTORY ${folder} COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE headers ${folder}/prefix/include/hinge/*.h)
list(LENGTH headers count)
message(STATUS "${count} headers installed")
