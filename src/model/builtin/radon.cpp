// Radon in houses of J counties: log_radon_i ~ N(alpha[county_i] + beta floor_i, sigma).
//   alpha_c ~ N(mu_alpha, sigma_alpha); mu_alpha, beta ~ N(0, 1); sigma_alpha, sigma ~ half-N(0, 1)
#include <cmath>
#include <numbers>

#include "core/numeric.hpp"
#include "model/builtin/entries.hpp"
#include "model/builtin/radon_houses.hpp"
#include "model/names.hpp"

namespace ravi {
namespace {

// log half-N(exp(u) | 0, 1) + u, the Jacobian, is log 2 - log(2 pi)/2 - exp(2u)/2 + u.
double log_half_normal_of_log(double u) {
  return std::numbers::ln2 - 0.5 * kLog2Pi - 0.5 * std::exp(2 * u) + u;
}

// Coordinates: alpha_1 .. alpha_J, mu_alpha, log sigma_alpha, beta, log sigma.
class Radon final : public RowModel {
 public:
  explicit Radon(const Data& data) : houses_(data), counties_(houses_.counties()) {}

  Index dimension() const override { return counties_ + 4; }
  Index rows() const override { return houses_.houses(); }

  std::vector<std::string> unconstrained_names() const override {
    std::vector<std::string> names;
    append_indexed(names, "alpha", counties_);
    names.insert(names.end(), {"mu_alpha", "sigma_alpha", "beta", "sigma"});
    return names;
  }

  void constrain(const ConstMatrixRef& theta, MatrixRef quantities,
                 std::uint32_t /*seed*/) const override {
    quantities = theta;
    for (const Index row : {counties_ + 1, counties_ + 3}) {
      quantities.row(row) = theta.row(row).array().exp();
    }
  }

  void add_log_likelihood(const ConstMatrixRef& theta, Rows rows, VectorRef log_density,
                          MatrixRef gradient) const override {
    const auto count = static_cast<double>(rows.count(this->rows()));
    for (Index s = 0; s < theta.cols(); ++s) {
      const double log_sigma = theta(counties_ + 3, s);
      double d_beta = 0;
      const double squares =
          houses_.squares(theta.col(s).head(counties_), theta(counties_ + 2, s),
                          std::exp(-2 * log_sigma), rows, gradient.col(s).head(counties_), d_beta);
      log_density(s) -= count * (log_sigma + 0.5 * kLog2Pi) + 0.5 * squares;
      gradient(counties_ + 2, s) += d_beta;
      gradient(counties_ + 3, s) += squares - count;
    }
  }

  // With z_c = (alpha_c - mu_alpha) / sigma_alpha.
  void add_log_prior(const ConstMatrixRef& theta, VectorRef log_density,
                     MatrixRef gradient) const override {
    const auto j = static_cast<double>(counties_);
    for (Index s = 0; s < theta.cols(); ++s) {
      const auto hyper = theta.col(s).tail<4>();
      const double mu = hyper(0), u = hyper(1), beta = hyper(2), v = hyper(3);
      const double over_sigma_alpha = std::exp(-u);
      const auto z = (theta.col(s).head(counties_).array() - mu) * over_sigma_alpha;
      const double z_squared = z.square().sum();
      log_density(s) += -0.5 * (mu * mu + beta * beta) - kLog2Pi + log_half_normal_of_log(u) +
                        log_half_normal_of_log(v) - j * (u + 0.5 * kLog2Pi) - 0.5 * z_squared;
      auto slope = gradient.col(s).tail<4>();
      slope(0) += z.sum() * over_sigma_alpha - mu;
      slope(1) += z_squared - j + 1 - std::exp(2 * u);
      slope(2) -= beta;
      slope(3) += 1 - std::exp(2 * v);
      gradient.col(s).head(counties_).array() -= z * over_sigma_alpha;
    }
  }

 private:
  RadonHouses houses_;
  Index counties_;  // J
};

std::unique_ptr<Model> make(const Data& data) { return std::make_unique<Radon>(data); }

}  // namespace

ModelEntry radon_entry() {
  return {"radon",
          "log_radon ~ N(alpha[county] + beta floor, sigma), alpha ~ N(mu_alpha, sigma_alpha)",
          "N, J, county[N], floor_measure[N], log_radon[N]; CSV: log_radon, floor, county",
          true,
          make,
          example_houses};
}

}  // namespace ravi
