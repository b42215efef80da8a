// Walks over rows of data in blocks, so that work space stays small however many rows there are.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/scratch.hpp"
#include "ravi/model.hpp"

namespace ravi {

inline constexpr Index kRowBlock = 256;

// Data are stored with one column per row of the table, so that a mini-batch copies whole columns.
// Calls visit(block) with matrices of at most kRowBlock of the chosen columns.
template <typename Visit>
void for_each_row_block(const Matrix& columns, Rows rows, Visit&& visit) {
  struct Gathered {};
  const Index count = rows.count(columns.cols());
  for (Index begin = 0; begin < count; begin += kRowBlock) {
    const Index size = std::min(kRowBlock, count - begin);
    if (rows.all) {
      visit(ConstMatrixRef(columns.middleCols(begin, size)));
      continue;
    }
    auto gathered = scratch<Gathered>(columns.rows(), size);
    for (Index k = 0; k < size; ++k) {
      gathered.col(k) = columns.col(rows.index[static_cast<std::size_t>(begin + k)]);
    }
    visit(ConstMatrixRef(gathered));
  }
}

}  // namespace ravi
