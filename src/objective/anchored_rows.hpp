// A few rows of data in place of all of them, corrected at one point where all of them were seen.
#pragma once

#include "ravi/model.hpp"

namespace ravi {

// What all rows say at one theta: a single pass over the data.
struct Anchor {
  Vector theta;
  double log_density = 0;
  Vector gradient;

  Anchor(const Model& model, Vector at);
  bool finite() const { return std::isfinite(log_density) && gradient.allFinite(); }
};

// log p(theta) from the rows S and the anchor a,
//   log p_S(theta) - log p_S(a) + log p(a) + (grad log p(a) - grad log p_S(a))' (theta - a),
// whose gradient is grad log p_S(theta) - grad log p_S(a) + grad log p(a) (Baker et al. 2019). Both
// have the right expectation over random S. A batch alone has a gradient that varies by (N /
// |S|)^(1/2) posterior standard deviations; near the anchor this one varies by about (P /
// |S|)^(1/2) only, because what is left of each row is its change over the width of the posterior.
class AnchoredRows final : public Model {
 public:
  // Both outlive this; an anchor that is null leaves the rows as they are.
  AnchoredRows(const RowModel& model, const Anchor* anchor, Rows rows)
      : model_(model), anchor_(anchor), rows_(rows) {}

  Index dimension() const override { return model_.dimension(); }
  void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                MatrixRef gradient) const override;

 private:
  const RowModel& model_;
  const Anchor* anchor_;
  Rows rows_;
};

}  // namespace ravi
