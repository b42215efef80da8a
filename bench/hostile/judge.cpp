// Judges a fit by the exact answers.
#include "judge.hpp"

#include <algorithm>
#include <cmath>

namespace hostile {

namespace {

// Whether the fit stands by this sd; a program that cannot say otherwise does.
template <typename Summary>
bool sd_trusted(const Summary& summary) {
  if constexpr (requires { summary.sd_trusted; }) {
    return summary.sd_trusted;
  } else {
    return true;
  }
}

// Half the width from 5 to 95 % of a normal distribution, in sds.
constexpr double kHalfWidth = 1.6448536269514722;

double factor(double a, double b) {
  const double ratio = a / b;
  return ratio > 0 ? std::max(ratio, 1 / ratio) : kInf;
}

// NaN is the worst of all.
void raise(double& worst, double value) {
  if (!(value <= worst)) worst = std::isnan(value) ? kInf : value;
}

// A warning or failure that is about the gradient, whatever its exact name.
bool names_the_gradient(const ravi::Fit& fit) {
  return std::ranges::any_of(fit.findings, [](const ravi::Finding& finding) {
    const ravi::FindingWords& words = ravi::words(finding.code);
    return words.severity != ravi::Severity::note &&
           words.name.find("gradient") != std::string_view::npos;
  });
}

}  // namespace

Judgment judge(const Posterior& posterior, const std::vector<Marginal>& truth,
               const ravi::Fit& fit) {
  Judgment j;
  const bool content = ravi::trustworthy(fit.verdict);
  bool a_variance_is_missing = false, claims_it = false;
  if (fit.average && !truth.empty() && fit.average->parameters.size() >= truth.size()) {
    j.error = 0;
    j.ratio = 1;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const ravi::ParameterSummary& s = fit.average->parameters[i];
      const Marginal& t = truth[i];
      const bool trusted = sd_trusted(s);
      j.sds_excused += !trusted;
      if (t.has_sd()) {
        raise(j.error, std::abs(s.mean - t.mean) / t.sd);
        if (trusted) raise(j.ratio, factor(s.sd, t.sd));
      } else {
        a_variance_is_missing = true;
        claims_it = claims_it || trusted;
        const double spread = (t.q95 - t.q5) / (2 * kHalfWidth);
        raise(j.error, std::abs(s.q50 - t.q50) / spread);
        raise(j.ratio, factor(s.q95 - s.q5, t.q95 - t.q5));
      }
    }
    j.right = !claims_it && j.error <= kLargestError && j.ratio <= kLargestSdRatio;
  }
  if (posterior.kind == Kind::must_be_told) {
    j.outcome = content && !names_the_gradient(fit) ? "silent" : "told";
  } else if (j.right) {
    j.outcome = content ? "right" : a_variance_is_missing ? "told" : "false alarm";
  } else {
    j.outcome = content ? "silent" : "told";
  }
  return j;
}

}  // namespace hostile
