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

template <typename Member>
constexpr FamilyEntry entry(std::string_view name, std::string_view description) {
  return {name, description, Member::kClosed, Member::size_for, make<Member>};
}

constexpr std::array kFamilies = {
    entry<MeanField>("mean-field", "Gaussian with independent coordinates, K = 2P"),
    entry<FullRank>("full-rank", "Gaussian with any covariance, K = P(P+3)/2"),
};

}  // namespace

std::span<const FamilyEntry> family_registry() { return kFamilies; }

}  // namespace ravi
