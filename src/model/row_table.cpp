// The rows of data that a likelihood is a sum over.
#include "model/row_table.hpp"

#include <algorithm>
#include <type_traits>

namespace ravi {
namespace {

constexpr Index kCacheLine = 64;
// Rows of a mini-batch lie anywhere in memory, and fetching one takes as long as evaluating it; so
// many of them are on their way at a time.
constexpr Index kAhead = 16;

void prefetch(const void* first, Index bytes) {
  const auto* at = static_cast<const char*>(first);
  for (Index i = 0; i < bytes; i += kCacheLine) __builtin_prefetch(at + i);
  __builtin_prefetch(at + bytes - 1);
}

// Copies the listed rows of `width` numbers to part of the columns, from row `top` of those on.
template <typename Number>
void copy_rows(const Number* numbers, Index width, Rows rows, Index first, Index top,
               MatrixRef columns) {
  using Row = Eigen::Map<const Eigen::Matrix<Number, Eigen::Dynamic, 1>>;
  const auto copy = [&](Index row, Index k) {
    columns.col(k).segment(top, width) = Row(numbers + row * width, width).template cast<double>();
  };
  if (rows.all) {
    for (Index k = 0; k < columns.cols(); ++k) copy(first + k, k);
    return;
  }
  const auto row_at = [&](Index place) { return rows.index[static_cast<std::size_t>(place)]; };
  const auto count = static_cast<Index>(rows.index.size());
  const Index bytes = width * static_cast<Index>(sizeof(Number));
  for (Index k = 0; k < columns.cols(); ++k) {
    const Index next = first + k + kAhead;
    if (next < count) prefetch(numbers + row_at(next) * width, bytes);
    copy(row_at(first + k), k);
  }
}

}  // namespace

RowTable::RowTable(Matrix columns)
    : memory_(std::move(columns)),
      pieces_{{memory_.data(), false, memory_.rows()}},
      rows_(memory_.cols()),
      width_(memory_.rows()),
      stored_width_(memory_.rows()) {}

RowTable::RowTable(Matrix columns, Prepare prepare, Index dropped) {
  if (prepare) prepare(columns);
  if (dropped > 0) columns = columns.topRows(columns.rows() - dropped).eval();
  *this = RowTable(std::move(columns));
}

RowTable::RowTable(std::vector<std::shared_ptr<const NpyArray>> arrays, Prepare prepare,
                   Index dropped)
    : files_(std::move(arrays)), prepare_(prepare), rows_(files_.front()->dimensions()[0]) {
  for (const auto& file : files_) {
    const Index of_row = file->size() / rows_;
    file->visit_numbers([&](const auto* first) {
      using Number = std::remove_cvref_t<decltype(*first)>;
      pieces_.push_back({first, std::is_same_v<Number, float>, of_row});
    });
    stored_width_ += of_row;
  }
  width_ = stored_width_ - dropped;
}

void RowTable::gather(Rows rows, Index first, MatrixRef columns) const {
  Index top = 0;
  for (const Piece& piece : pieces_) {
    if (piece.single) {
      copy_rows(static_cast<const float*>(piece.first), piece.width, rows, first, top, columns);
    } else {
      copy_rows(static_cast<const double*>(piece.first), piece.width, rows, first, top, columns);
    }
    top += piece.width;
  }
  if (prepare_) prepare_(columns);
}

void RowTable::expect(Rows rows) const {
  using Access = MappedFile::Access;
  for (const auto& file : files_) file->expect(rows.all ? Access::sequential : Access::random);
}

}  // namespace ravi
