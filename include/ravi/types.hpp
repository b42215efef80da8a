// The numbers that go in and out: Eigen's vectors and matrices of double.
#pragma once

#include <Eigen/Core>

// Part of the binary interface: matrices made on one side are resized and freed on the other.
static_assert(EIGEN_MAX_ALIGN_BYTES == 64,
              "Eigen does not align memory as in ravi: link ravi::ravi by CMake, or compile with "
              "-DEIGEN_MAX_ALIGN_BYTES=64");

namespace ravi {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using ConstMatrixRef = Eigen::Ref<const Matrix>;
using ConstVectorRef = Eigen::Ref<const Vector>;
using MatrixRef = Eigen::Ref<Matrix>;
using VectorRef = Eigen::Ref<Vector>;

}  // namespace ravi
