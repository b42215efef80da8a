// Models that give or leave behind other sizes than they should: a sentence, never foreign memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluation.hpp"
#include "model/model_sizes.hpp"
#include "model/temporary_file.hpp"
#include "ravi/fit.hpp"
#include "ravi/model.hpp"

namespace ravi {
namespace {

using testing::ElementsAre, testing::HasSubstr;

std::unique_ptr<Model> with_gradient_of(Index size) {
  return make_model(3, [size](const Vector& theta, Vector& gradient) {
    gradient = Vector::Zero(size);
    return -0.5 * theta.squaredNorm();
  });
}

TEST(Sizes, AGradientOfAnotherSizeIsRefused) {
  for (const Index size : {0, 2, 4, 1000}) {
    EXPECT_EQ(usage_error("", [&] { evaluate(*with_gradient_of(size), Matrix::Zero(3, 2)); }),
              "the log density returned a gradient of " + std::to_string(size) +
                  " elements, but the model has 3 parameters: 3 are needed");
    EXPECT_THAT(usage_error("", [&] { fit(*with_gradient_of(size)); }), HasSubstr("3 are needed"));
  }
  EXPECT_NO_THROW(evaluate(*with_gradient_of(3), Matrix::Zero(3, 2)));
}

// What was left behind before an exception does not count, and does not stay.
TEST(Sizes, AnExceptionMayLeaveAnyGradientBehind) {
  const auto model = make_model(2, [](const Vector& theta, Vector& gradient) {
    if (theta(0) > 0) {
      gradient.resize(0);
      throw std::domain_error("no");
    }
    gradient.resize(2);
    gradient = -theta;
    return -0.5 * theta.squaredNorm();
  });
  const Matrix theta{{1, -1}, {2, -2}};
  const Values values = evaluate(*model, theta);
  EXPECT_TRUE(std::isnan(values.log_density(0)));
  EXPECT_EQ(values.log_density(1), -2.5);
  EXPECT_EQ(values.gradient.col(1), (Vector{{1, 2}}));
}

TEST(Sizes, ADimensionThatCannotBeIsRefused) {
  const auto f = [](const Vector&, Vector&) { return 0.0; };
  EXPECT_EQ(usage_error("", [&] { make_model(-1, f); }),
            "the model has -1 parameters, but it must have 0 to 2147483648");
  EXPECT_THAT(usage_error("", [&] { make_model(Index{1} << 40, f); }),
              HasSubstr("the model has 1099511627776 parameters"));
}

// 2^31 names alone would take 64 GB: memory is looked at before they are made.
TEST(Sizes, MoreParametersThanMemoryHoldsAreRefusedAtOnce) {
  const auto model = make_model(Index{1} << 31, [](const Vector&, Vector&) { return 0.0; });
  for (const char* family : {"mean-field", "full-rank"}) {
    EXPECT_THROW(fit(*model, {.family = family}), EnvironmentError) << family;
  }
}

// Sizes as they are given; what is computed is a standard normal.
class Claims : public RowModel {
 public:
  Index dimension_ = 2, names_ = 2, quantities_ = 2, judged_ = 2, rows_ = 1;

  Index dimension() const override { return dimension_; }
  Index rows() const override { return rows_; }
  std::vector<std::string> unconstrained_names() const override { return names(names_); }
  std::vector<std::string> parameter_names() const override { return names(quantities_); }
  Index judged_quantities() const override { return judged_; }
  void add_log_likelihood(const ConstMatrixRef& theta, Rows, VectorRef log_density,
                          MatrixRef gradient) const override {
    log_density -= 0.5 * theta.colwise().squaredNorm().transpose();
    gradient -= theta;
  }
  void add_log_prior(const ConstMatrixRef&, VectorRef, MatrixRef) const override {}

 private:
  static std::vector<std::string> names(Index count) {
    std::vector<std::string> result;
    for (Index i = 0; i < count; ++i) result.push_back("x" + std::to_string(i));
    return result;
  }
};

TEST(Sizes, AModelThatContradictsItselfIsRefused) {
  const auto refusal = [](const Claims& claims) { return usage_error("", [&] { fit(claims); }); };
  Claims claims;
  EXPECT_EQ(refusal(claims), "");
  EXPECT_THAT(size_problems(claims), ElementsAre());
  claims.names_ = 1;
  EXPECT_EQ(refusal(claims), "the model's unconstrained_names() are 1, but its dimension() is 2");
  claims = {};
  claims.judged_ = 3;
  EXPECT_EQ(refusal(claims),
            "the model's judged_quantities() is 3, but it has 2 parameter_names()");
  claims = {};
  claims.rows_ = -1;
  EXPECT_EQ(refusal(claims), "the model's rows() are -1, but must be 0 or more");
  claims = {};
  claims.dimension_ = -2;
  EXPECT_THAT(refusal(claims), HasSubstr("the model has -2 parameters"));
}

// More names than constrain(), as it is inherited, has values for.
TEST(Sizes, QuantitiesWithNamesButWithoutValuesAreRefused) {
  Claims claims;
  claims.quantities_ = 1000;
  EXPECT_EQ(usage_error("", [&] { fit(claims); }),
            "the model's parameter_names() are 1000, but its dimension() is 2: override "
            "constrain(), which says what they are");
}

}  // namespace
}  // namespace ravi
