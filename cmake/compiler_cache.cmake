# Compiles through ccache where that is installed (-DCCACHE=OFF: as where it is not), and with precompiled
# headers and joined sources where it is not. The former would tie a cached object to one build folder,
# and save 45 % of a build from nothing; the latter would compile many files where one has changed.
find_program(CCACHE ccache)
mark_as_advanced(CCACHE)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
set(ravi_joins ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
  set(ravi_joins OFF)
endif()

# ravi_join(TARGET FOLDER...): the sources of each folder are compiled together, eight at a time. Not for
# what computes: across files the compiler would join multiplications and additions that round apart.
function(ravi_join target)
  if(NOT ravi_joins)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(folder ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
    set(count 0)
    foreach(source ${sources})
      math(EXPR batch "${count} / 8")
      string(MAKE_C_IDENTIFIER ${folder}_${batch} group)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
      math(EXPR count "${count} + 1")
    endforeach()
  endforeach()
endfunction()
