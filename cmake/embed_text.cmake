# Text files as part of the program: std::span<const TYPE> FUNCTION() returns their names and texts.
#
# ravi_embed_text(VARIABLE FUNCTION TYPE HEADER FILES...) sets VARIABLE to the source to compile, which
# defines FUNCTION as declared in HEADER; TYPE is an aggregate of two string views. A file of more than
# 60 kB comes as several of them, one after the other, with the same name.
function(ravi_embed_text variable function type header)
  string(MAKE_C_IDENTIFIER ${function} name)
  set(output ${PROJECT_BINARY_DIR}/generated/${name}.cpp)
  set(files "")
  foreach(file ${ARGN})
    get_filename_component(file ${file} ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
    list(APPEND files ${file})
  endforeach()
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D "FILES=${files}" -D OUTPUT=${output} -D FUNCTION=${function}
      -D TYPE=${type} -D HEADER=${header} -P ${PROJECT_SOURCE_DIR}/cmake/write_text_source.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/write_text_source.cmake
    COMMENT "Embedding the files of ${function}()" VERBATIM)
  set(${variable} ${output} PARENT_SCOPE)
endfunction()
