// Bayesian logistic regression: y_i ~ Bernoulli(logit^-1(x_i' beta)), beta ~ N(0, I).
#include "core/numeric.hpp"
#include "core/scratch.hpp"
#include "model/builtin/entries.hpp"
#include "model/builtin/regression.hpp"
#include "model/row_blocks.hpp"

namespace ravi {
namespace {

// With s_i = 2 y_i - 1 the likelihood of a row is logit^-1(s_i x_i' beta), so that only s_i x_i is
// kept.
class LogisticRegression final : public RowModel {
 public:
  explicit LogisticRegression(const Data& data)
      : signed_features_(read_regression(data, Target::binary)) {}

  Index dimension() const override { return signed_features_.width(); }
  Index rows() const override { return signed_features_.rows(); }
  std::vector<std::string> unconstrained_names() const override {
    return regression_names(dimension());
  }

  // With m_i = s_i x_i' beta and e = exp(-|m|), no step of which overflows:
  //   log likelihood  -log(1 + exp(-m)) = min(m, 0) - log(1 + e)
  //   its slope in m  logit^-1(-m)      = (m > 0 ? e : 1) / (1 + e)
  // What 1 + e rounds away is below 1e-16, the spacing of the terms it is added to.
  void add_log_likelihood(const ConstMatrixRef& beta, Rows rows, VectorRef log_density,
                          MatrixRef gradient) const override {
    struct Margins {};
    struct Exponentials {};
    for_each_row_block(signed_features_, rows, [&](const ConstMatrixRef& x) {
      auto m = scratch<Margins>(x.cols(), beta.cols());
      auto e = scratch<Exponentials>(x.cols(), beta.cols());
      m.noalias() = x.transpose() * beta;
      e = (-m.array().abs()).exp();
      log_density +=
          (m.array().min(0.0) - (1 + e.array()).log()).matrix().colwise().sum().transpose();
      if (gradient.cols() == 0) return;
      m = (m.array() > 0).select(e.array(), 1.0) / (1 + e.array());
      gradient.noalias() += x * m;
    });
  }

  void add_log_prior(const ConstMatrixRef& beta, VectorRef log_density,
                     MatrixRef gradient) const override {
    add_unit_normal_prior(beta, log_density, gradient);
  }

  void log_density(const ConstMatrixRef& beta, VectorRef values) const override {
    log_density_alone(*this, beta, values);
  }

 private:
  RowTable signed_features_;
};

std::unique_ptr<Model> make(const Data& data) { return std::make_unique<LogisticRegression>(data); }

Data example() { return example_regression(true); }

}  // namespace

ModelEntry logistic_regression_entry() {
  return {"logistic-regression",
          "y ~ Bernoulli(logit^-1(X beta)), beta ~ N(0, 1)",
          "N, P, X[N,P], y[N] of 0 and 1; CSV, .npy: the last column is y",
          true,
          make,
          example};
}

}  // namespace ravi
