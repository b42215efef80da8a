// Arrays in numpy's own files (.npy), read where they lie.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/mapped_file.hpp"
#include "ravi/model.hpp"

namespace ravi {

// Of float32 or float64, little endian, stored row by row ("C order"), in versions 1.0 to 3.0 of
// the format (numpy.lib.format); the numbers keep their type until they are asked for.
class NpyArray {
 public:
  // Throws UsageError when the file is not such an array, or is shorter or longer than it says.
  explicit NpyArray(const std::string& path);

  std::span<const Index> dimensions() const { return dimensions_; }
  Index size() const { return size_; }

  // visit(pointer to the first number), of type const float* or const double*.
  template <typename Visit>
  decltype(auto) visit_numbers(Visit&& visit) const {
    const std::byte* first = file_.bytes().data() + offset_;
    if (single_) return visit(reinterpret_cast<const float*>(first));
    return visit(reinterpret_cast<const double*>(first));
  }
  double operator[](Index i) const {
    return visit_numbers([i](const auto* x) { return static_cast<double>(x[i]); });
  }

  void expect(MappedFile::Access access) const { file_.expect(access); }

 private:
  MappedFile file_;
  std::size_t offset_ = 0;
  bool single_ = false;
  std::vector<Index> dimensions_;
  Index size_ = 1;
};

}  // namespace ravi
