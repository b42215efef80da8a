// What R-hat and ESS share: splitting, the check for usable draws, variances.
#include "diagnostics/chains.hpp"

#include "core/numeric.hpp"

namespace ravi {

Matrix split_chains(const ConstMatrixRef& draws) {
  const Index half = draws.rows() / 2;
  Matrix halves(half, 2 * draws.cols());
  halves << draws.topRows(half), draws.bottomRows(half);
  return halves;
}

bool carries_information(const ConstMatrixRef& draws) {
  return draws.size() > 0 && draws.allFinite() && (draws.array() != draws(0, 0)).any();
}

ChainVariances chain_variances(const ConstMatrixRef& draws) {
  Vector variances(draws.cols()), means(draws.cols());
  for (Index chain = 0; chain < draws.cols(); ++chain) {
    // Measured from the chain's first draw: exact for a constant chain, and no digits are lost to a
    // common offset.
    const Vector shifted = draws.col(chain).array() - draws(0, chain);
    variances(chain) = variance(shifted);
    means(chain) = (draws(0, chain) - draws(0, 0)) + mean(shifted);
  }
  return {mean(variances), variance(means)};
}

}  // namespace ravi
