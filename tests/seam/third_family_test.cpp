// A family that is not Gaussian, known to this program alone, is fitted as itself by every method.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "algorithm/methods.hpp"
#include "core/numeric.hpp"
#include "family/full_rank.hpp"
#include "family/mean_field.hpp"
#include "limits/limits.hpp"
#include "ravi/error.hpp"
#include "ravi/fit.hpp"

namespace ravi {
namespace {

// theta_i = mu_i + sigma_i sinh(z_i), lambda = (mu, log sigma): long tails, and independent
// coordinates. Its mean is mu, its sd sigma ((e^2 - 1) / 2)^(1/2).
class Sinh final : public Approximation {
 public:
  static constexpr bool kClosed = false;
  static Index size_for(Index dimension) { return 2 * dimension; }

  explicit Sinh(Index dimension) : mu_(Vector::Zero(dimension)), sigma_(Vector::Ones(dimension)) {}

  std::string_view family() const override { return "sinh"; }
  Index dimension() const override { return mu_.size(); }
  Index size() const override { return size_for(dimension()); }
  std::unique_ptr<Approximation> clone() const override { return std::make_unique<Sinh>(*this); }
  void assign(const ConstVectorRef& lambda) override {
    mu_ = lambda.head(mu_.size());
    sigma_ = lambda.tail(mu_.size()).array().exp();
  }
  Vector lambda() const override {
    Vector lambda(size());
    lambda << mu_, sigma_.array().log().matrix();
    return lambda;
  }
  Vector lambda_of(const ConstVectorRef& mean, const ConstMatrixRef& l) const override {
    Vector lambda(2 * mean.size());
    lambda << mean, (l.diagonal() / kSd).array().log().matrix();
    return lambda;
  }
  void forward(const ConstMatrixRef& z, MatrixRef theta) const override {
    theta = ((z.array().sinh().colwise() * sigma_.array()).colwise() + mu_.array()).matrix();
  }
  void inverse(const ConstMatrixRef& theta, MatrixRef z) const override {
    z = ((theta.array().colwise() - mu_.array()).colwise() / sigma_.array()).asinh().matrix();
  }
  Vector log_det(const ConstMatrixRef& z) const override {
    return sigma_.array().log().sum() + z.array().cosh().log().colwise().sum().transpose();
  }
  void pull_back(const ConstMatrixRef& z, MatrixRef gradient) const override {
    gradient = ((gradient.array() * z.array().cosh()).colwise() * sigma_.array() + z.array().tanh())
                   .matrix();
  }
  // Newton's in z, along each coordinate, which is sigma_i wide around the middle.
  bool step(const ScoreFit& fit, const StepRule& rule) override {
    const NewtonStep newton = newton_step(fit, rule, 1, NewtonStep::Wanted::move);
    mu_ += sigma_.cwiseProduct(newton.move);
    const Vector e = (rule.damping * fit.e.diagonal())
                         .cwiseMax(1 - limit(Limit::most_change))
                         .cwiseMin(std::min(rule.cap, 0.75));
    sigma_ = sigma_.array() / (1 - e.array()).sqrt();
    return newton.shortened;
  }
  double distance(const ScoreFit& fit) const override {
    return 0.5 * fit.d.squaredNorm() + 0.25 * fit.e.diagonal().squaredNorm();
  }
  void center_at(const ConstVectorRef& theta) override { mu_ = theta; }
  void widen(double factor) override { sigma_ *= factor; }
  void elbo_gradient(const ConstMatrixRef& z, const ConstMatrixRef& g,
                     VectorRef gradient) const override {
    gradient.head(mu_.size()) = g.rowwise().mean();
    gradient.tail(mu_.size()) =
        (g.array() * z.array().sinh()).rowwise().mean() * sigma_.array() + 1;
  }
  double entropy() const override {
    return sum_over_z([&](double z) {
             return static_cast<double>(dimension()) *
                    (0.5 * z * z + 0.5 * kLog2Pi + std::log(std::cosh(z)));
           }) +
           sigma_.array().log().sum();
  }
  Vector mean() const override { return mu_; }
  Vector sd() const override { return kSd * sigma_; }
  Matrix cov() const override { return sd().cwiseAbs2().asDiagonal(); }
  Gaussian moments() const override { return {std::string(family()), mu_, Matrix(), sd()}; }
  double kl(const Approximation& other) const override {
    const auto& o = dynamic_cast<const Sinh&>(other);
    return sum_over_z([&](double z) {
      double sum = 0;
      for (Index i = 0; i < dimension(); ++i) {
        const double w = std::asinh((mu_(i) + sigma_(i) * std::sinh(z) - o.mu_(i)) / o.sigma_(i));
        sum += 0.5 * (w * w - z * z) + std::log(o.sigma_(i) * std::cosh(w)) -
               std::log(sigma_(i) * std::cosh(z));
      }
      return sum;
    });
  }
  std::string component_name(Index k, const std::vector<std::string>& names) const override {
    const Index p = dimension();
    return (k < p ? "mu " : "sigma ") + names[static_cast<std::size_t>(k % p)];
  }

 private:
  static inline const double kSd = std::sqrt((std::exp(2.0) - 1) / 2);

  // E f(z), z ~ N(0, 1), by the trapezoidal rule, whose error is below rounding.
  static double sum_over_z(const auto& f) {
    constexpr double kStep = 0.125;
    double sum = 0;
    for (double z = -9; z <= 9; z += kStep) sum += std::exp(-0.5 * z * z) * f(z);
    return sum * kStep / std::sqrt(2 * std::numbers::pi);
  }

  Vector mu_, sigma_;
};

template <typename Member>
std::unique_ptr<Approximation> make(Index dimension) {
  return std::make_unique<Member>(dimension);
}

template <typename Member>
constexpr FamilyEntry entry(std::string_view name) {
  return {name, "", Member::kClosed, Member::size_for, make<Member>};
}

constexpr std::array kFamilies = {entry<MeanField>("mean-field"), entry<FullRank>("full-rank"),
                                  entry<Sinh>("sinh")};

// log p of a member of the third family: mu = (2, -30), sigma = (0.5, 8).
std::unique_ptr<Model> target() {
  static const Vector mu{{2, -30}}, sigma{{0.5, 8}};
  return make_model(2, [](const Vector& theta, Vector& gradient) {
    const Vector x = (theta - mu).cwiseQuotient(sigma);
    const Vector w = x.array().asinh();
    const Eigen::ArrayXd cosh = (1 + x.array().square()).sqrt();
    gradient = (-(w.array() / cosh + x.array() / cosh.square()) / sigma.array()).matrix();
    return -0.5 * w.squaredNorm() - cosh.log().sum();
  });
}

constexpr double kMeans[] = {2, -30}, kSigmas[] = {0.5, 8};

}  // namespace

// In place of the library's, of which the linker then takes none.
std::span<const FamilyEntry> family_registry() { return kFamilies; }

namespace {

// The posterior is a member of the family: searches end at it, weights are all alike, and the
// numbers are those of the member, which are within the tolerance, 0.1 sds, of the posterior's.
TEST(ThirdFamily, IsFittedAsItself) {
  const double sd = std::sqrt((std::exp(2.0) - 1) / 2);
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Fit fit = ravi::fit(*target(), {.family = "sinh", .seed = seed});
    EXPECT_EQ(fit.verdict, Verdict::accurate) << seed;
    ASSERT_TRUE(fit.average);
    EXPECT_EQ(fit.average->q.family, "sinh");
    for (Index i = 0; i < 2; ++i) {
      const ParameterSummary& of = fit.average->parameters[static_cast<std::size_t>(i)];
      const double scale = kSigmas[i] * sd;
      EXPECT_NEAR(of.mean, kMeans[i], 0.1 * scale) << seed;
      EXPECT_NEAR(of.sd, scale, 0.1 * scale) << seed;
    }
  }
}

// ... where the Gaussians have weights that say that they are not.
TEST(ThirdFamily, IsBetterThanTheOthersHere) {
  const Fit third = ravi::fit(*target(), {.family = "sinh"}),
            other = ravi::fit(*target(), {.family = "full-rank"});
  ASSERT_TRUE(third.average);
  ASSERT_TRUE(other.average);
  EXPECT_LT(third.average->khat, 0.3);
  EXPECT_GT(other.average->khat, 0.5);
}

// Whatever the method, a family is fitted, or refused in words.
TEST(EveryMethod, FitsEveryFamilyOrSaysWhyNot) {
  for (const MethodEntry& method : method_registry()) {
    for (const FamilyEntry& family : family_registry()) {
      const Options options{.family = std::string(family.name), .method = std::string(method.name)};
      try {
        const Fit fit = ravi::fit(*target(), options);
        ASSERT_TRUE(fit.last_iterate);
        EXPECT_EQ(fit.last_iterate->q.family, family.name) << method.name;
        EXPECT_TRUE(fit.last_iterate->q.mean.allFinite()) << method.name << " " << family.name;
      } catch (const UsageError& refused) {
        EXPECT_NE(std::string(refused.what()).find(family.name), std::string::npos) << method.name;
      }
    }
  }
}

}  // namespace
}  // namespace ravi
