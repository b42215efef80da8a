// Eight schools, non-centered: theta_j = mu + tau theta_tilde_j, theta_tilde_j ~ N(0, 1).
#include <cmath>

#include "core/numeric.hpp"
#include "model/builtin/eight_schools.hpp"
#include "model/builtin/entries.hpp"
#include "model/names.hpp"

namespace ravi {
namespace {

// Coordinates: mu, u = log tau, theta_tilde_1 .. theta_tilde_J.
class EightSchoolsNoncentered final : public Model {
 public:
  explicit EightSchoolsNoncentered(const Data& data) : data_(read_schools(data)) {
    constant_ = -static_cast<double>(data_.y.size()) * kLog2Pi - data_.sigma.array().log().sum();
  }

  Index dimension() const override { return data_.y.size() + 2; }

  std::vector<std::string> unconstrained_names() const override {
    std::vector<std::string> names = {"mu", "tau"};
    append_indexed(names, "theta_tilde", data_.y.size());
    return names;
  }

  std::vector<std::string> parameter_names() const override {
    std::vector<std::string> names = unconstrained_names();
    append_indexed(names, "theta", data_.y.size());
    return names;
  }

  void constrain(const ConstMatrixRef& theta, MatrixRef quantities,
                 std::uint32_t /*seed*/) const override {
    const Index j = data_.y.size();
    quantities.topRows(j + 2) = theta;
    quantities.row(1) = theta.row(1).array().exp();
    for (Index s = 0; s < theta.cols(); ++s) {
      quantities.col(s).tail(j) = theta(0, s) + quantities(1, s) * theta.col(s).tail(j).array();
    }
  }

  // r_j = (y_j - mu - tau theta_tilde_j) / sigma_j^2.
  void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                MatrixRef gradient) const override {
    const Index j = data_.y.size();
    const auto variance = data_.sigma.array().square();
    for (Index s = 0; s < theta.cols(); ++s) {
      const double mu = theta(0, s), u = theta(1, s), tau = std::exp(u);
      const auto tilde = theta.col(s).tail(j).array();
      const auto r = (data_.y.array() - mu - tau * tilde) / variance;
      const HyperPrior hyper = schools_hyperprior(mu, u);
      log_density(s) = hyper.log_density + constant_ - 0.5 * tilde.square().sum() -
                       0.5 * (r.square() * variance).sum();
      gradient(0, s) = hyper.d_mu + r.sum();
      gradient(1, s) = hyper.d_u + tau * (r * tilde).sum();
      gradient.col(s).tail(j).array() = tau * r - tilde;
    }
  }

 private:
  SchoolsData data_;
  double constant_;  // of the 2 J normal densities
};

std::unique_ptr<Model> make(const Data& data) {
  return std::make_unique<EightSchoolsNoncentered>(data);
}

Data example() { return Data("example"); }

}  // namespace

ModelEntry eight_schools_noncentered_entry() {
  return {"eight-schools-noncentered",
          "eight schools with theta_j = mu + tau theta_tilde_j, theta_tilde_j ~ N(0, 1)",
          "none: carries its own; or J, y[J], sigma[J]",
          false,
          make,
          example};
}

}  // namespace ravi
