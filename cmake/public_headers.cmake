# The public surface: these headers, and what they include. The others are not installed.
set(HINGE_PUBLIC
  hinge/hinge.h hinge/kernel_features.h
  hinge/model/model.h hinge/training/fit.h
  hinge/inference/assignment.h hinge/inference/chain.h hinge/inference/choice.h hinge/inference/class_chain.h hinge/inference/context_chain.h
  hinge/inference/correlation_clustering.h hinge/inference/forest.h hinge/inference/graph_engine.h hinge/inference/grouped_choices.h hinge/inference/spanning_forest.h
  hinge/inference/top_k.h)

# Sets `result` to the headers of the tree that `ARGN` lead to.
function(hinge_included result)
  set(found)
  set(queue ${ARGN})
  while(queue)
    list(POP_FRONT queue header)
    if(header IN_LIST found)
      continue()
    endif()
    list(APPEND found ${header})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
    file(STRINGS ${header} lines REGEX "^#include \"hinge/")
    foreach(line ${lines})
      string(REGEX REPLACE "^#include \"(.*)\".*" "\\1" included ${line})
      list(APPEND queue ${included})
    endforeach()
  endwhile()
  set(${result} ${found} PARENT_SCOPE)
endfunction()
