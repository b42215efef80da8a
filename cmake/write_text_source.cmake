# Writes the source that ravi_embed_text() promises; run by the build.
string(REGEX REPLACE "::[^:]*$" "" namespace ${FUNCTION})
string(REGEX REPLACE "^.*::" "" name ${FUNCTION})
set(entries "")
foreach(file ${FILES})
  get_filename_component(base ${file} NAME)
  file(READ ${file} text)
  # A compiler need not take string literals of more than 64 kB.
  string(LENGTH "${text}" length)
  foreach(first RANGE 0 ${length} 60000)
    string(SUBSTRING "${text}" ${first} 60000 piece)
    string(APPEND entries "    ${TYPE}{\"${base}\", R\"__text__(${piece})__text__\"},\n")
  endforeach()
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
