# Writes the source that ravi_embed_text() promises; run by the build.
string(REGEX REPLACE "::[^:]*$" "" namespace ${FUNCTION})
string(REGEX REPLACE "^.*::" "" name ${FUNCTION})
set(entries "")
foreach(file ${FILES})
  get_filename_component(base ${file} NAME)
  file(READ ${file} text)
  # A compiler need not take string literals of more than 64 kB.
  string(LENGTH "${text}" length)
  if(length GREATER 60000)
    message(FATAL_ERROR "${file} is too long to embed")
  endif()
  string(APPEND entries "    ${TYPE}{\"${base}\", R\"__text__(${text})__text__\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from the files named below.
#include \"${HEADER}\"

#include <array>

namespace ${namespace} {
namespace {

constexpr std::array kFiles = {
${entries}};

}  // namespace

std::span<const ${TYPE}> ${name}() { return kFiles; }

}  // namespace ${namespace}
")
