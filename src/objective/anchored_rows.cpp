// A few rows of data in place of all of them, corrected at one point where all of them were seen.
#include "objective/anchored_rows.hpp"

namespace ravi {

Anchor::Anchor(const Model& model, Vector at)
    : theta(std::move(at)), gradient(Vector(theta.size())) {
  Vector value(1);
  Matrix slope(theta.size(), 1);
  model.evaluate(theta, value, slope);
  log_density = value(0);
  gradient = slope.col(0);
}

void AnchoredRows::evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                            MatrixRef gradient) const {
  if (anchor_ == nullptr) return model_.evaluate_rows(theta, rows_, log_density, gradient);
  // The anchor is one more column, so that the rows are read once.
  const Index m = theta.cols();
  Matrix points(theta.rows(), m + 1), slopes(theta.rows(), m + 1);
  Vector values(m + 1);
  points << theta, anchor_->theta;
  model_.evaluate_rows(points, rows_, values, slopes);
  const Vector correction = anchor_->gradient - slopes.col(m);
  log_density = values.head(m) + (theta.colwise() - anchor_->theta).transpose() * correction;
  log_density.array() += anchor_->log_density - values(m);
  gradient = slopes.leftCols(m).colwise() + correction;
}

}  // namespace ravi
