// Tables of the outcomes in one or several files of fits, side by side.
#pragma once

#include <string>
#include <vector>

namespace hostile {

// Markdown. Each file is a program; those with one label are taken together.
std::string summarize(const std::vector<std::string>& files);

}  // namespace hostile
