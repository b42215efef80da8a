// Log densities against closed forms, quadrature and formulas written out a second time.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "core/json_file.hpp"
#include "core/rng.hpp"
#include "model/reference.hpp"
#include "model/registry.hpp"
#include "model/row_blocks.hpp"
#include "special_numbers.hpp"

namespace ravi {
namespace {

constexpr double kPi = std::numbers::pi;

std::string data_path(const std::string& name) { return RAVI_TEST_DATA "/models/" + name; }
std::string reference_path(const std::string& name) { return RAVI_TEST_DATA "/reference/" + name; }

double log_density(const Model& model, const Vector& theta) {
  Vector value(1);
  Matrix gradient(theta.size(), 1);
  model.evaluate(theta, value, gradient);
  return value(0);
}

Vector random_point(Index p, std::uint32_t number) {
  Vector theta(p);
  RandomStream(5, Purpose::test, number, 0).fill_normal(theta);
  return theta;
}

double log_normal(double x, double mean, double sd) {
  return std::log(std::exp(-0.5 * std::pow((x - mean) / sd, 2)) / (sd * std::sqrt(2 * kPi)));
}

double log_half_cauchy(double x, double scale) {
  return std::log(2 / (kPi * scale * (1 + std::pow(x / scale, 2))));
}

// At any point, log p(y, beta) - log p(beta | y) = log p(y). The reference's covariance has a
// condition number below 1e3 and its log evidence is known to 1e-12, so the identity holds to
// rounding times that; 1e-9 leaves room for summing 506 or 1030 rows.
TEST(LinearRegression, DiffersFromItsExactPosteriorByTheEvidence) {
  for (const std::string name : {"boston", "concrete"}) {
    const Data data = read_data(data_path("linear_" + name + ".stan.json"));
    const auto model = make_builtin("linear-regression", &data);
    const std::string path = reference_path("linear_" + name + ".json");
    const Reference reference = read_reference(path);
    const double evidence = read_json(path).at("log_evidence").get<double>();
    const Eigen::LLT<Matrix> factor(reference.cov);
    const Index p = model->dimension();
    for (std::uint32_t k = 0; k < 5; ++k) {
      const Vector z = random_point(p, k);
      const Vector beta = reference.mean + factor.matrixL() * z;
      const double log_posterior = -0.5 * static_cast<double>(p) * std::log(2 * kPi) -
                                   factor.matrixLLT().diagonal().array().log().sum() -
                                   0.5 * z.squaredNorm();
      EXPECT_NEAR(log_density(*model, beta) - log_posterior, evidence, 1e-9 * std::abs(evidence));
    }
  }
}

// 506 rows are more than one block; gathered in reverse order they fall into other blocks.
TEST(RowBlocks, DoNotChangeTheSum) {
  for (const std::string name : {"linear", "logistic"}) {
    const Data data = read_data(data_path(name + "_boston.stan.json"));
    const auto made = make_builtin(name + "-regression", &data);
    const auto& model = dynamic_cast<const RowModel&>(*made);
    ASSERT_GT(model.rows(), kRowBlock);
    std::vector<Index> reversed;
    for (Index i = model.rows(); i-- > 0;) reversed.push_back(i);
    const Matrix theta = random_point(model.dimension(), 4);
    Vector whole(1), listed(1);
    Matrix whole_gradient(theta.rows(), 1), listed_gradient(theta.rows(), 1);
    model.evaluate(theta, whole, whole_gradient);
    model.evaluate_rows(theta, Rows{false, reversed}, listed, listed_gradient);
    // The same 506 terms in another order.
    EXPECT_NEAR(listed(0), whole(0), 506 * kEpsilon * std::abs(whole(0)));
    EXPECT_LT((listed_gradient - whole_gradient).norm(), 506 * kEpsilon * std::abs(whole(0)));
  }
}

// Importance sampling from a Gaussian with the reference's mean and 1.5 times its covariance: the
// mean weight estimates p(y), and its standard error comes from the same weights. A dropped
// constant (log(2 pi)/2 = 0.92 per parameter) is hundreds of standard errors away.
TEST(LogisticRegression, IntegratesToTheReferencesEvidence) {
  const Data data = read_data(data_path("logistic_boston.stan.json"));
  const auto model = make_builtin("logistic-regression", &data);
  const std::string path = reference_path("logistic_boston.json");
  const Reference reference = read_reference(path);
  const auto block = read_json(path).at("importance_sampling");
  const double evidence = block.at("log_evidence").get<double>();

  const Index p = model->dimension(), draws = 20000;
  Matrix z(p, draws);
  RandomStream(6, Purpose::test, 0, 0).fill_normal(z);
  const Eigen::LLT<Matrix> factor(1.5 * reference.cov);
  const Matrix beta = (factor.matrixL() * z).colwise() + reference.mean;
  Vector log_p(draws);
  Matrix gradient(p, draws);
  model->evaluate(beta, log_p, gradient);
  const double log_root_det = factor.matrixLLT().diagonal().array().log().sum();
  const Vector log_q = -0.5 * z.colwise().squaredNorm().transpose().array() - log_root_det -
                       0.5 * static_cast<double>(p) * std::log(2 * kPi);
  const Vector weight = (log_p - log_q).array() - evidence;
  const Vector w = weight.array().exp();
  const double mean = w.mean();
  const double se = std::sqrt((w.array() - mean).square().sum()) / static_cast<double>(draws);
  const double se_reference = block.at("log_evidence_se").get<double>();
  EXPECT_LT(se / mean, 0.02);  // otherwise the check below says nothing
  // Five standard errors: a right model fails for one seed in 1.7 million.
  EXPECT_NEAR(std::log(mean), 0, 5 * std::hypot(se / mean, se_reference));
}

TEST(EightSchools, MatchTheirFormulasWrittenOut) {
  const double y[] = {28, 8, -3, 7, -1, 1, 18, 12};
  const double sigma[] = {15, 10, 16, 11, 9, 11, 10, 18};
  const auto centered = make_builtin("eight-schools-centered", nullptr);
  const auto noncentered = make_builtin("eight-schools-noncentered", nullptr);
  for (std::uint32_t k = 0; k < 5; ++k) {
    const Vector theta = random_point(10, k);
    const double mu = theta(0), tau = std::exp(theta(1));
    double shared = log_normal(mu, 0, 5) + log_half_cauchy(tau, 5) + std::log(tau);
    double direct = shared, shifted = shared;
    for (int j = 0; j < 8; ++j) {
      const double t = theta(2 + j);
      direct += log_normal(t, mu, tau) + log_normal(y[j], t, sigma[j]);
      shifted += log_normal(t, 0, 1) + log_normal(y[j], mu + tau * t, sigma[j]);
    }
    // Some twenty terms, each with a handful of roundings.
    EXPECT_NEAR(log_density(*centered, theta), direct, 1000 * kEpsilon * std::abs(direct));
    EXPECT_NEAR(log_density(*noncentered, theta), shifted, 1000 * kEpsilon * std::abs(shifted));
  }
}

// Given u = log tau the density is exactly Gaussian in the other nine coordinates, so one Newton
// step from anywhere finds their mean, and integrating them out leaves a curve in u, which the
// trapezoid rule integrates. Below u = -10 the curve is exp(u) times a constant, up to exp(-20).
double log_evidence_by_quadrature(const Model& model) {
  const Index p = model.dimension(), n = p - 1;
  const double low = -10, high = 14, step = 0.02;
  const auto integrated = [&](double u) {
    // Column 0 at the origin, the others one unit along each coordinate but u: the gradient is
    // linear, so these give the Hessian exactly.
    Matrix theta = Matrix::Zero(p, p);
    theta.row(1).setConstant(u);
    for (Index k = 0; k < n; ++k) theta(k == 0 ? 0 : k + 1, k + 1) = 1;
    Vector value(p);
    Matrix gradient(p, p);
    model.evaluate(theta, value, gradient);
    const auto without_u = [&](const Vector& g) {
      Vector rest(n);
      rest << g(0), g.tail(n - 1);
      return rest;
    };
    const Vector slope = without_u(gradient.col(0));
    Matrix precision(n, n);
    for (Index k = 0; k < n; ++k) precision.col(k) = slope - without_u(gradient.col(k + 1));
    const Eigen::LLT<Matrix> factor(precision);
    const double log_root_det = factor.matrixLLT().diagonal().array().log().sum();
    return value(0) + 0.5 * slope.dot(factor.solve(slope)) +
           0.5 * static_cast<double>(n) * std::log(2 * kPi) - log_root_det;
  };
  const auto count = static_cast<int>(std::lround((high - low) / step));
  double sum = std::exp(integrated(low));  // the tail below: int exp(u) du = exp(low)
  for (int i = 0; i <= count; ++i) {
    const double weight = i == 0 || i == count ? 0.5 : 1;
    sum += weight * step * std::exp(integrated(low + i * step));
  }
  return std::log(sum);
}

// Quadrature error: the end at u = -10 adds step^2/12 times its slope, 3e-5 of a part in 1e5, and
// the centered form's precision has condition number exp(20) there, 1e-7 of the same part; the
// reference is good to 1e-10. 1e-7 holds all of these.
TEST(EightSchools, IntegrateToTheReferencesEvidence) {
  for (const auto& [name, file] : {std::pair{"eight-schools-centered", "eight_schools_cp.json"},
                                   {"eight-schools-noncentered", "eight_schools_ncp.json"}}) {
    const double evidence =
        read_json(reference_path(file)).at("exact").at("log_evidence").get<double>();
    EXPECT_NEAR(log_evidence_by_quadrature(*make_builtin(name, nullptr)), evidence, 1e-7) << name;
  }
}

TEST(EightSchools, OwnDataAreThoseOfTheFile) {
  const Data file = read_data(data_path("eight_schools.json"));
  const Vector theta = random_point(10, 9);
  EXPECT_EQ(log_density(*make_builtin("eight-schools-centered", nullptr), theta),
            log_density(*make_builtin("eight-schools-centered", &file), theta));
}

TEST(EightSchools, NoncenteredReportsTauAndTheEffects) {
  const auto model = make_builtin("eight-schools-noncentered", nullptr);
  const auto names = model->parameter_names();
  ASSERT_EQ(names.size(), 18u);
  EXPECT_EQ(names[9], "theta_tilde[8]");
  EXPECT_EQ(names[17], "theta[8]");
  const Matrix theta = random_point(10, 3);
  Matrix quantities(18, 1);
  model->constrain(theta, quantities, 1);
  EXPECT_EQ(quantities(1, 0), std::exp(theta(1, 0)));
  EXPECT_DOUBLE_EQ(quantities(17, 0), theta(0, 0) + std::exp(theta(1, 0)) * theta(9, 0));
}

TEST(Radon, MatchesItsFormulaWrittenOut) {
  const int county[] = {1, 1, 2, 3, 3};
  const double floor[] = {0, 1, 0, 1, 0}, log_radon[] = {0.8, 0.1, 1.5, 1.1, 2.3};
  Vector c(5), f(5), r(5);
  for (int i = 0; i < 5; ++i) c(i) = county[i], f(i) = floor[i], r(i) = log_radon[i];
  Data data("made up");
  data.add("N", 5).add("J", 4).add("county", c).add("floor_measure", f).add("log_radon", r);
  const auto model = make_builtin("radon", &data);  // nobody lives in the fourth county
  for (std::uint32_t k = 0; k < 5; ++k) {
    const Vector theta = random_point(8, k);
    const double mu = theta(4), s_alpha = std::exp(theta(5)), beta = theta(6);
    const double sigma = std::exp(theta(7));
    double expected = log_normal(mu, 0, 1) + log_normal(beta, 0, 1) + std::log(2.0) +
                      log_normal(s_alpha, 0, 1) + std::log(s_alpha) + std::log(2.0) +
                      log_normal(sigma, 0, 1) + std::log(sigma);
    for (int j = 0; j < 4; ++j) expected += log_normal(theta(j), mu, s_alpha);
    for (int i = 0; i < 5; ++i) {
      expected += log_normal(log_radon[i], theta(county[i] - 1) + beta * floor[i], sigma);
    }
    EXPECT_NEAR(log_density(*model, theta), expected, 1000 * kEpsilon * (1 + std::abs(expected)));
  }
}

TEST(MnistNn, MatchesItsFormulaWrittenOut) {
  const Index inputs = 3, hidden = 10, free = 9;
  Matrix x(2, inputs);
  x << 0.2, 1.0, 0.0, 0.7, 0.1, 0.9;
  Vector y(2);
  y << 1, 8;
  Data data("made up");
  data.add("x", x).add("y", y);
  const auto model = make_builtin("mnist-nn", &data);
  const Vector theta = random_point(model->dimension(), 1);
  Index next = 0;
  const double s2_a = std::exp(theta(next++)), s2_b = std::exp(theta(next++));
  Matrix a_weights(inputs, hidden), b_weights(hidden, free);
  Vector a(hidden), b(free);
  for (Index j = 0; j < hidden; ++j)
    for (Index i = 0; i < inputs; ++i) a_weights(i, j) = theta(next++);
  for (Index j = 0; j < hidden; ++j) a(j) = theta(next++);
  for (Index j = 0; j < free; ++j)
    for (Index i = 0; i < hidden; ++i) b_weights(i, j) = theta(next++);
  for (Index j = 0; j < free; ++j) b(j) = theta(next++);
  ASSERT_EQ(next, model->dimension());

  const auto log_inv_gamma = [](double s2, double fan_in) {
    const double nu = 0.5, v = std::pow(0.05 / std::pow(fan_in, 1 / nu), 2);
    const double shape = nu / 2, scale = nu * v / 2;
    return shape * std::log(scale) - std::log(std::tgamma(shape)) - (shape + 1) * std::log(s2) -
           scale / s2;
  };
  double expected =
      log_inv_gamma(s2_a, 3) + std::log(s2_a) + log_inv_gamma(s2_b, 10) + std::log(s2_b);
  for (const double w : a_weights.reshaped()) expected += log_normal(w, 0, std::sqrt(s2_a));
  for (const double w : b_weights.reshaped()) expected += log_normal(w, 0, std::sqrt(s2_b));
  for (const double w : a) expected += log_normal(w, 0, 1);
  for (const double w : b) expected += log_normal(w, 0, 1);
  for (Index n = 0; n < 2; ++n) {
    const Vector h = (a + a_weights.transpose() * x.row(n).transpose()).array().tanh();
    Vector logits(10);
    logits << 1, b + b_weights.transpose() * h;
    expected +=
        std::log(std::exp(logits(static_cast<Index>(y(n)) - 1)) / logits.array().exp().sum());
  }
  EXPECT_NEAR(log_density(*model, theta), expected, 1000 * kEpsilon * std::abs(expected));
}

TEST(Funnel, MatchesItsFormulaWrittenOut) {
  const auto model = make_builtin("funnel", nullptr);
  const Vector theta = random_point(10, 2);
  double expected = log_normal(theta(0), 0, 3);
  for (Index i = 1; i < 10; ++i) expected += log_normal(theta(i), 0, std::exp(theta(0) / 2));
  EXPECT_NEAR(log_density(*model, theta), expected, 1000 * kEpsilon * std::abs(expected));
}

// The trapezoid rule in s with x = sinh(s) converges exponentially for these smooth densities; the
// Cauchy tail beyond sinh(24) = 1.3e10 in two coordinates is 1e-10.
TEST(Targets, IntegrateToOne) {
  const Index side = 481;
  const Vector s = Vector::LinSpaced(side, -24, 24);
  const double step = 0.1;
  for (const std::string_view name : {"gaussian", "bimodal", "cauchy", "student-t"}) {
    const Data two = Data("d").add("P", 2);
    const auto model = make_builtin(name, &two);
    double sum = 0;
    Matrix theta(2, side), gradient(2, side);
    Vector value(side);
    theta.row(1) = s.array().sinh().transpose();
    for (Index i = 0; i < side; ++i) {
      theta.row(0).setConstant(std::sinh(s(i)));
      model->evaluate(theta, value, gradient);
      sum += step * step * std::cosh(s(i)) * (value.array().exp() * s.array().cosh()).sum();
    }
    EXPECT_NEAR(sum, 1, 1e-8) << name;
  }
}

TEST(Gaussian, HasTheCovarianceItWasGiven) {
  // 0.9^|i-j| is the covariance of an AR(1) process: x_i given the others has variance
  // (1 - 0.81) / (1 + 0.81) inside, so the precision's diagonal is 1.81 / 0.19.
  const auto model = make_builtin("gaussian", nullptr);
  Matrix theta = Matrix::Zero(10, 1);
  theta(4, 0) = 1;
  Vector value(1);
  Matrix gradient(10, 1);
  model->evaluate(theta, value, gradient);
  EXPECT_NEAR(gradient(4, 0), -1.81 / 0.19, 1e-12);
  EXPECT_NEAR(gradient(3, 0), 0.9 / 0.19, 1e-12);
  EXPECT_NEAR(gradient(1, 0), 0, 1e-12);
}

// The default is never held as a matrix; given as one it is the same target.
TEST(Gaussian, DefaultIsTheSameAsItsCovariance) {
  for (const Index p : {1, 2, 3, 8}) {
    const Matrix cov = Matrix::NullaryExpr(
        p, p, [](Index i, Index j) { return std::pow(0.9, static_cast<double>(std::abs(i - j))); });
    const Data by_size = Data().add("P", static_cast<double>(p)), by_cov = Data().add("cov", cov);
    const Matrix theta = Matrix::NullaryExpr(
        p, 3, [](Index i, Index j) { return std::sin(static_cast<double>(5 * i + 2 * j + 1)); });
    Vector expected(3), found(3);
    Matrix expected_gradient(p, 3), found_gradient(p, 3);
    make_builtin("gaussian", &by_cov)->evaluate(theta, expected, expected_gradient);
    make_builtin("gaussian", &by_size)->evaluate(theta, found, found_gradient);
    // Roundings of a matrix with a condition number of 19^2 at the most.
    EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LE((found_gradient - expected_gradient).cwiseAbs().maxCoeff(), 1e-12);
  }
}

}  // namespace
}  // namespace ravi
