// Radon without a distribution of counties, as the authors of Dhaka et al. (2020) ran it:
//   log_radon_i ~ N(alpha[county_i] + beta floor_i, sigma); sigma ~ U(0, 100), alpha and beta flat
#include <cmath>

#include "core/numeric.hpp"
#include "model/builtin/entries.hpp"
#include "model/builtin/radon_houses.hpp"
#include "model/names.hpp"

namespace ravi {
namespace {

constexpr double kLargestSigma = 100;

// Coordinates: alpha_1 .. alpha_J, beta, logit(sigma / 100).
class RadonUnpooled final : public RowModel {
 public:
  explicit RadonUnpooled(const Data& data) : houses_(data), counties_(houses_.counties()) {}

  Index dimension() const override { return counties_ + 2; }
  Index rows() const override { return houses_.houses(); }

  std::vector<std::string> unconstrained_names() const override {
    std::vector<std::string> names;
    append_indexed(names, "alpha", counties_);
    names.insert(names.end(), {"beta", "sigma"});
    return names;
  }

  void constrain(const ConstMatrixRef& theta, MatrixRef quantities,
                 std::uint32_t /*seed*/) const override {
    quantities = theta;
    for (Index s = 0; s < theta.cols(); ++s) {
      quantities(counties_ + 1, s) = kLargestSigma * inverse_logit(theta(counties_ + 1, s));
    }
  }

  // With p = inverse_logit(u), log sigma = log 100 + log p and d log sigma / du = 1 - p.
  void add_log_likelihood(const ConstMatrixRef& theta, Rows rows, VectorRef log_density,
                          MatrixRef gradient) const override {
    const auto count = static_cast<double>(rows.count(this->rows()));
    for (Index s = 0; s < theta.cols(); ++s) {
      const double u = theta(counties_ + 1, s);
      const double log_sigma = std::log(kLargestSigma) - log1p_exp(-u);
      const double squares = houses_.squares(
          theta.col(s).head(counties_), theta(counties_, s), std::exp(-2 * log_sigma), rows,
          gradient.col(s).head(counties_), gradient(counties_, s));
      log_density(s) -= count * (log_sigma + 0.5 * kLog2Pi) + 0.5 * squares;
      gradient(counties_ + 1, s) += (squares - count) * inverse_logit(-u);
    }
  }

  // The density 1 / 100 of sigma, times d sigma / du = 100 p (1 - p).
  void add_log_prior(const ConstMatrixRef& theta, VectorRef log_density,
                     MatrixRef gradient) const override {
    for (Index s = 0; s < theta.cols(); ++s) {
      const double u = theta(counties_ + 1, s);
      log_density(s) -= log1p_exp(u) + log1p_exp(-u);
      gradient(counties_ + 1, s) += 1 - 2 * inverse_logit(u);
    }
  }

 private:
  RadonHouses houses_;
  Index counties_;  // J
};

std::unique_ptr<Model> make(const Data& data) { return std::make_unique<RadonUnpooled>(data); }

}  // namespace

ModelEntry radon_unpooled_entry() {
  return {"radon-unpooled",
          "log_radon ~ N(alpha[county] + beta floor, sigma), flat priors, sigma below 100",
          "N, J, county[N], floor_measure[N], log_radon[N]; CSV: log_radon, floor, county",
          true,
          make,
          example_houses};
}

}  // namespace ravi
