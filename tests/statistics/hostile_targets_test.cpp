// --method robust on targets made to mislead it: every answer is accurate, or the fit says that it
// is not.
#include "hostile_targets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "evaluation.hpp"
#include "ravi/ravi.hpp"
#include "registry_names.hpp"

namespace ravi {
namespace {

using hostile::Demand, hostile::kInf, hostile::kNaN, hostile::Moments, hostile::Target;

// The project's own meaning of an accurate posterior. The 4000 draws of an answer leave Monte Carlo
// errors of about 0.016 sd and 1.1 % of the sd: a twentieth of what is allowed.
constexpr double kMeanError = 0.3, kSdFactor = 1.4;

// Of the parameters that a fit reports; no answer is infinitely wrong.
struct Errors {
  double mean = kInf, sd = kInf;  // in sds, and as a factor
  bool allowed() const { return mean <= kMeanError && sd <= kSdFactor; }
};

Errors errors_of(const Fit& fit, const Moments& truth) {
  if (!fit.average || truth.mean.size() == 0) return {};
  Errors worst{0, 1};
  for (Index i = 0; i < truth.mean.size(); ++i) {
    const ParameterSummary& p = fit.average->parameters.at(static_cast<std::size_t>(i));
    const double shift = std::abs(p.mean - truth.mean(i)) / truth.sd(i), ratio = p.sd / truth.sd(i);
    // Negated, so that NaN is the worst of all.
    worst.mean = !(shift <= worst.mean) ? shift : worst.mean;
    if (!p.sd_trusted) continue;  // the fit itself does not show it
    const double factor = std::max(ratio, 1 / ratio);
    worst.sd = !(factor <= worst.sd) ? factor : worst.sd;
  }
  return worst;
}

class HostileTarget : public testing::TestWithParam<Target> {};

// Central differences over 2e-5 sd miss a slope per sd by about 1e-10 of the third derivative, and
// by rounding, 1e-11 of the log density.
TEST_P(HostileTarget, HasTheGradientOfItsDensity) {
  const Target& target = GetParam();
  const auto model = target.make();
  const Index p = model->dimension();
  const bool known = target.truth.mean.size() > 0;
  const Vector sd = known ? target.truth.sd : Vector::Ones(p);
  const Vector center = known ? target.truth.mean : Vector::Zero(p);
  Matrix theta = (center + 0.3 * sd).replicate(1, 1 + 2 * p);
  constexpr double kStep = 1e-5;
  for (Index i = 0; i < p; ++i) {
    theta(i, 1 + 2 * i) += kStep * sd(i);
    theta(i, 2 + 2 * i) -= kStep * sd(i);
  }
  const auto [log_density, gradient] = evaluate(*model, theta);
  for (Index i = 0; i < p; ++i) {
    const double slope = (log_density(1 + 2 * i) - log_density(2 + 2 * i)) / (2 * kStep);
    EXPECT_NEAR(gradient(i, 0) * sd(i), slope, 1e-6) << "coordinate " << i + 1;
  }
}

TEST_P(HostileTarget, IsFittedAccuratelyOrTheFitSaysThatItIsNot) {
  const Target& target = GetParam();
  const auto model = target.make();
  std::map<std::string_view, int> verdicts;
  Errors worst{0, 1};
  double seconds = 0;
  for (std::uint64_t seed = 1; seed <= target.seeds; ++seed) {
    const Fit fit = ravi::fit(*model, {.method = "robust", .seed = seed});
    ++verdicts[name(fit.verdict)];
    seconds += fit.timing.seconds;
    const bool trusted = trustworthy(fit.verdict);
    const Errors errors = errors_of(fit, target.truth);
    if (trusted) {
      worst = {std::max(worst.mean, errors.mean), std::max(worst.sd, errors.sd)};
      EXPECT_TRUE(errors.allowed())
          << "seed " << seed << " is wrong and " << name(fit.verdict) << ": mean off by "
          << errors.mean << " sd, sd by a factor of " << errors.sd << ", k-hat "
          << (fit.average ? fit.average->khat : kNaN);
    }
    std::string findings;
    for (const Finding& finding : fit.findings) findings += "\n  " + describe(finding);
    if (target.demand == Demand::accurate) {
      EXPECT_TRUE(trusted) << "seed " << seed << " is " << name(fit.verdict)
                           << " with a mean off by " << errors.mean << " sd, sd by a factor of "
                           << errors.sd << findings;
    }
  }
  std::string counts;
  for (const auto& [verdict, count] : verdicts) {
    counts += std::string(verdict) + " " + std::to_string(count) + ", ";
  }
  std::printf("%s: %sworst when trusted: mean %.3f sd, sd x %.3f; %.2f s per fit\n", target.name,
              counts.c_str(), worst.mean, worst.sd, seconds / static_cast<double>(target.seeds));
}

INSTANTIATE_TEST_SUITE_P(Robust, HostileTarget, testing::ValuesIn(hostile::targets()), EntryName());

}  // namespace
}  // namespace ravi
