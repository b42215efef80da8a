// Eight schools, centered: y_j ~ N(theta_j, sigma_j), theta_j ~ N(mu, tau); see eight_schools.hpp.
#include <cmath>

#include "core/numeric.hpp"
#include "model/builtin/eight_schools.hpp"
#include "model/builtin/entries.hpp"
#include "model/names.hpp"

namespace ravi {
namespace {

// Coordinates: mu, u = log tau, theta_1 .. theta_J.
class EightSchoolsCentered final : public Model {
 public:
  explicit EightSchoolsCentered(const Data& data) : data_(read_schools(data)) {
    constant_ = -static_cast<double>(data_.y.size()) * kLog2Pi - data_.sigma.array().log().sum();
  }

  Index dimension() const override { return data_.y.size() + 2; }

  std::vector<std::string> unconstrained_names() const override {
    std::vector<std::string> names = {"mu", "tau"};
    append_indexed(names, "theta", data_.y.size());
    return names;
  }

  void constrain(const ConstMatrixRef& theta, MatrixRef quantities,
                 std::uint32_t /*seed*/) const override {
    quantities = theta;
    quantities.row(1) = theta.row(1).array().exp();
  }

  // With z_j = (theta_j - mu) / tau the prior of theta is -J u - |z|^2 / 2, and r_j below is the
  // residual over sigma_j^2.
  void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                MatrixRef gradient) const override {
    const Index j = data_.y.size();
    const auto variance = data_.sigma.array().square();
    for (Index s = 0; s < theta.cols(); ++s) {
      const double mu = theta(0, s), u = theta(1, s), over_tau = std::exp(-u);
      const auto effects = theta.col(s).tail(j).array();
      const auto z = (effects - mu) * over_tau;
      const auto r = (data_.y.array() - effects) / variance;
      const double z_squared = z.square().sum();
      const HyperPrior hyper = schools_hyperprior(mu, u);
      log_density(s) = hyper.log_density + constant_ - static_cast<double>(j) * u -
                       0.5 * z_squared - 0.5 * (r.square() * variance).sum();
      gradient(0, s) = hyper.d_mu + z.sum() * over_tau;
      gradient(1, s) = hyper.d_u - static_cast<double>(j) + z_squared;
      gradient.col(s).tail(j).array() = r - z * over_tau;
    }
  }

 private:
  SchoolsData data_;
  double constant_;  // of the 2 J normal densities, except tau
};

std::unique_ptr<Model> make(const Data& data) {
  return std::make_unique<EightSchoolsCentered>(data);
}

Data example() { return Data("example"); }

}  // namespace

ModelEntry eight_schools_centered_entry() {
  return {"eight-schools-centered",
          "y_j ~ N(theta_j, sigma_j), theta_j ~ N(mu, tau), mu ~ N(0, 5), tau ~ half-Cauchy(0, 5)",
          "none: carries its own; or J, y[J], sigma[J]",
          false,
          make,
          example};
}

}  // namespace ravi
