// Walks over rows of data in blocks, so that work space stays small however many rows there are.
#pragma once

#include <algorithm>

#include "core/scratch.hpp"
#include "model/row_table.hpp"

namespace ravi {

inline constexpr Index kRowBlock = 256;

// Calls visit(block) with matrices of at most kRowBlock of the chosen rows, one in each column.
template <typename Visit>
void for_each_row_block(const RowTable& table, Rows rows, Visit&& visit) {
  struct Gathered {};
  table.expect(rows);
  const bool ready = rows.all && table.ready().size() > 0;
  const Index count = rows.count(table.rows());
  for (Index begin = 0; begin < count; begin += kRowBlock) {
    const Index size = std::min(kRowBlock, count - begin);
    if (ready) {
      visit(ConstMatrixRef(table.ready().middleCols(begin, size)));
      continue;
    }
    auto gathered = scratch<Gathered>(table.stored_width(), size);
    table.gather(rows, begin, gathered);
    visit(ConstMatrixRef(gathered.topRows(table.width())));
  }
}

}  // namespace ravi
