// Independent standard Cauchy coordinates: no mean, no variance, no good Gaussian.
#include <cmath>
#include <numbers>

#include "model/builtin/entries.hpp"

namespace ravi {
namespace {

class Cauchy final : public Model {
 public:
  explicit Cauchy(const Data& data) : p_(data.has("P") ? data.count("P", 1) : 2) {}

  Index dimension() const override { return p_; }

  void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                MatrixRef gradient) const override {
    const double constant = -static_cast<double>(p_) * std::log(std::numbers::pi);
    for (Index s = 0; s < theta.cols(); ++s) {
      const auto x = theta.col(s).array();
      log_density(s) = constant - x.square().log1p().sum();
      gradient.col(s).array() = -2 * x / (1 + x.square());
    }
  }

 private:
  Index p_;
};

std::unique_ptr<Model> make(const Data& data) { return std::make_unique<Cauchy>(data); }

Data example() { return Data("example"); }

}  // namespace

ModelEntry cauchy_entry() {
  return {"cauchy",
          "independent standard Cauchy coordinates",
          "none: carries its own; or P (2)",
          false,
          make,
          example};
}

}  // namespace ravi
