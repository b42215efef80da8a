// A Stan program as the user wrote it: its file, and every file that it includes.
#pragma once

#include <map>
#include <set>
#include <string>

namespace ravi {

struct StanProgram {
  std::string path;    // as the user gave it
  std::string folder;  // where includes are looked for
  std::string stem;    // "schools" of "schools.stan"
  std::string text;
  std::map<std::string, std::string> included;  // text by the name in the directive
};

// Throws UsageError when the file cannot be read. Included files that are not there are left out:
// the compiler reports them.
StanProgram read_program(const std::string& path);

// The words between the braces of its data block, names of variables among them. Where the block
// includes files, all of theirs, too.
std::set<std::string, std::less<>> words_of_data(const StanProgram& program);

}  // namespace ravi
