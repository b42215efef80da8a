# ravi_shared_object_name(LIBRARY RESULT): the name that programs linked to it ask the loader for, such as
# libnetcdf.so.19; the library's own path where that cannot be read.
function(ravi_shared_object_name library result)
  set(name ${library})
  if(CMAKE_OBJDUMP)
    execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${library} OUTPUT_VARIABLE header ERROR_QUIET)
    if(header MATCHES "SONAME +([^ \n]+)")
      set(name ${CMAKE_MATCH_1})
    endif()
  endif()
  set(${result} ${name} PARENT_SCOPE)
endfunction()
