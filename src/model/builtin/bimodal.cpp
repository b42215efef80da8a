// Two modes: theta_1 ~ N(-a, 1)/2 + N(a, 1)/2, the other coordinates N(0, 1).
#include <cmath>
#include <numbers>

#include "core/numeric.hpp"
#include "model/builtin/entries.hpp"

namespace ravi {
namespace {

class Bimodal final : public Model {
 public:
  explicit Bimodal(const Data& data)
      : p_(data.has("P") ? data.count("P", 1) : 2), separation_(data.number("separation", 5.0)) {}

  Index dimension() const override { return p_; }

  // N(t | -a, 1) + N(t | a, 1) is proportional to exp(-t^2/2 - a^2/2) 2 cosh(a t), and
  // log(2 cosh(w)) = |w| + log(1 + exp(-2 |w|)).
  void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                MatrixRef gradient) const override {
    const double a = separation_;
    const double constant =
        -0.5 * static_cast<double>(p_) * kLog2Pi - 0.5 * a * a - std::numbers::ln2;
    for (Index s = 0; s < theta.cols(); ++s) {
      const double w = std::abs(a * theta(0, s));
      log_density(s) =
          constant - 0.5 * theta.col(s).squaredNorm() + w + std::log1p(std::exp(-2 * w));
      gradient.col(s) = -theta.col(s);
      gradient(0, s) += a * std::tanh(a * theta(0, s));
    }
  }

 private:
  Index p_;
  double separation_;  // a
};

std::unique_ptr<Model> make(const Data& data) { return std::make_unique<Bimodal>(data); }

Data example() {
  // Close enough for both modes to be felt where tests look.
  Data data("example");
  return data.add("P", 3).add("separation", 1.5);
}

}  // namespace

ModelEntry bimodal_entry() {
  return {"bimodal",
          "equal mixture of N(-separation, 1) and N(separation, 1) in theta[1], N(0, 1) elsewhere",
          "none: carries its own; or P (2), separation (5)",
          false,
          make,
          example};
}

}  // namespace ravi
