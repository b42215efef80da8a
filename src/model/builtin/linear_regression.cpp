// Bayesian linear regression with known noise: y ~ N(X beta, sigma^2 I), beta ~ N(0, I).
#include <cmath>

#include "core/numeric.hpp"
#include "core/scratch.hpp"
#include "model/builtin/entries.hpp"
#include "model/builtin/regression.hpp"
#include "model/row_blocks.hpp"

namespace ravi {
namespace {

class LinearRegression final : public RowModel {
 public:
  explicit LinearRegression(const Data& data)
      : sigma_(data.is_table() ? kDefaultSigma : data.positive_number("sigma", kDefaultSigma)),
        table_(read_regression(data, Target::number)) {}

  Index dimension() const override { return table_.width() - 1; }
  Index rows() const override { return table_.rows(); }
  std::vector<std::string> unconstrained_names() const override {
    return regression_names(dimension());
  }

  // sum_i log N(y_i | x_i' beta, sigma); with r = (y - X beta) / sigma^2 the gradient is X' r.
  void add_log_likelihood(const ConstMatrixRef& beta, Rows rows, VectorRef log_density,
                          MatrixRef gradient) const override {
    struct Residuals {};
    const double variance = sigma_ * sigma_;
    const Index p = dimension();
    for_each_row_block(table_, rows, [&](const ConstMatrixRef& block) {
      const auto x = block.topRows(p);
      auto r = scratch<Residuals>(block.cols(), beta.cols());
      r.noalias() = -x.transpose() * beta;
      r.colwise() += block.row(p).transpose();
      r /= variance;
      log_density -= 0.5 * variance * r.colwise().squaredNorm().transpose();
      if (gradient.cols() > 0) gradient.noalias() += x * r;
    });
    const auto count = static_cast<double>(rows.count(table_.rows()));
    log_density.array() -= count * (0.5 * kLog2Pi + std::log(sigma_));
  }

  void add_log_prior(const ConstMatrixRef& beta, VectorRef log_density,
                     MatrixRef gradient) const override {
    add_unit_normal_prior(beta, log_density, gradient);
  }

  void log_density(const ConstMatrixRef& beta, VectorRef values) const override {
    log_density_alone(*this, beta, values);
  }

 private:
  inline static const double kDefaultSigma = std::sqrt(0.4);  // as in the paper

  double sigma_;
  RowTable table_;  // the features of a row, then its target
};

std::unique_ptr<Model> make(const Data& data) { return std::make_unique<LinearRegression>(data); }

Data example() { return example_regression(false).add("sigma", 0.7); }

}  // namespace

ModelEntry linear_regression_entry() {
  return {"linear-regression",
          "y ~ N(X beta, sigma), beta ~ N(0, 1), sigma known",
          "N, P, X[N,P], y[N], sigma (sqrt(0.4) unless given); CSV, .npy: the last column is y",
          true,
          make,
          example};
}

}  // namespace ravi
