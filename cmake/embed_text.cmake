# Text files as part of the program: std::span<const TYPE> FUNCTION() returns their names and texts.
#
# ravi_embed_text(VARIABLE FUNCTION TYPE HEADER FILES...) sets VARIABLE to the source to compile, which
# defines FUNCTION as declared in HEADER; TYPE is an aggregate of two string views.
function(ravi_embed_text variable function type header)
  string(MAKE_C_IDENTIFIER ${function} name)
  set(output ${PROJECT_BINARY_DIR}/generated/${name}.cpp)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE files)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D "FILES=${files}" -D OUTPUT=${output} -D FUNCTION=${function}
      -D TYPE=${type} -D HEADER=${header} -P ${PROJECT_SOURCE_DIR}/cmake/write_text_source.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/write_text_source.cmake
    COMMENT "Embedding the files of ${function}()" VERBATIM)
  set(${variable} ${output} PARENT_SCOPE)
endfunction()
