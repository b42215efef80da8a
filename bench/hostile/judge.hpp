// What a fit of a hostile posterior is worth: README.md has the definition and its reasons.
#pragma once

#include <string>
#include <vector>

#include "posterior.hpp"
#include "ravi/fit.hpp"

namespace hostile {

// As in bench/compare_tables.R.
inline constexpr double kLargestError = 0.3;    // of a mean, in posterior sds
inline constexpr double kLargestSdRatio = 1.4;  // of an sd to the right one, or the other way round

struct Judgment {
  std::string outcome;  // right, silent, told, false alarm
  bool right = false;   // the numbers are
  double error = kInf;  // largest of a mean, in sds, or of a median where there is no sd
  double ratio = kInf;  // largest of an sd, or of the width from 5 to 95 % where there is no sd
  int sds_excused = 0;  // quantities whose sd the fit itself does not trust
};

Judgment judge(const Posterior& posterior, const std::vector<Marginal>& truth,
               const ravi::Fit& fit);

}  // namespace hostile
