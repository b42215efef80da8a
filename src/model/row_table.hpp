// The rows of data that a likelihood is a sum over, in memory or in mapped files.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/npy.hpp"
#include "ravi/model.hpp"

namespace ravi {

// A row of the table is a column here, so that a mini-batch copies what lies together. Files are
// never read as a whole: what is asked for is converted to double, row by row.
class RowTable {
 public:
  // Turns rows as they are stored into rows as the model needs them: once for rows in memory, each
  // time for rows of a file. What it no longer needs are the last `dropped` numbers of each.
  using Prepare = void (*)(MatrixRef rows);

  RowTable() = default;
  explicit RowTable(Matrix columns);
  RowTable(Matrix columns, Prepare prepare, Index dropped);
  // Arrays of N x w or N numbers, side by side, all of one N.
  RowTable(std::vector<std::shared_ptr<const NpyArray>> arrays, Prepare prepare, Index dropped);
  RowTable(RowTable&&) = default;
  RowTable& operator=(RowTable&&) = default;

  Index rows() const { return rows_; }  // N
  Index width() const { return width_; }
  Index stored_width() const { return stored_width_; }

  // All rows, where no work is needed to have them; empty otherwise.
  const Matrix& ready() const { return memory_; }

  // Writes rows to columns, from place `first` of the list on: as many as there are columns.
  void gather(Rows rows, Index first, MatrixRef columns) const;

  // Tells the system how files are going to be read.
  void expect(Rows rows) const;

 private:
  // Numbers of one type, `width` of them per row.
  struct Piece {
    const void* first = nullptr;
    bool single = false;
    Index width = 0;
  };

  Matrix memory_;
  std::vector<std::shared_ptr<const NpyArray>> files_;
  std::vector<Piece> pieces_;
  Prepare prepare_ = nullptr;
  Index rows_ = 0, width_ = 0, stored_width_ = 0;
};

}  // namespace ravi
