// The candidate that a mistyped word was probably meant to be, for "did you mean".
#include "core/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

namespace ravi {
namespace {

std::string folded(std::string_view word) {
  std::string result(word);
  for (char& c : result) {
    c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
  // Row i holds the distances of the first i letters of a to every beginning of b.
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  const std::string sought = folded(word);
  std::size_t limit = std::max<std::size_t>(1, sought.size() / 3);
  std::string best;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(sought, folded(candidate));
    if (distance < limit || (distance == limit && best.empty())) {
      limit = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace ravi
