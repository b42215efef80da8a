// The families: a new one is a line here and a file beside this one.
#include <array>

#include "family/full_rank.hpp"
#include "family/mean_field.hpp"

namespace ravi {
namespace {

template <typename Member>
std::unique_ptr<Approximation> make(Index dimension) {
  return std::make_unique<Member>(dimension);
}

constexpr std::array kFamilies = {
    FamilyEntry{"mean-field", "Gaussian with independent coordinates, K = 2P", MeanField::size_for,
                make<MeanField>},
    FamilyEntry{"full-rank", "Gaussian with any covariance, K = P(P+3)/2", FullRank::size_for,
                make<FullRank>},
};

}  // namespace

std::span<const FamilyEntry> family_registry() { return kFamilies; }

}  // namespace ravi
