// The first half of --method robust: searches from several starts, and the optima they end in.
#pragma once

#include <deque>
#include <functional>
#include <memory>

#include "algorithm/judge/conclude.hpp"
#include "algorithm/robust/search.hpp"
#include "family/approximation.hpp"

namespace ravi {

struct SearchResults {
  // Those with a q whose ELBO could be computed. Modes refer to them, and more may come, which
  // leaves those of a deque where they are.
  std::deque<Search> found;
  std::uint32_t begun = 0;  // how many there were: the next one's number in addresses of its draws
  std::int64_t evaluations = 0, failed = 0;
  Vector first_failure = {};
  std::vector<ElboTrace> elbo = {};  // of each
  struct Place {
    Vector theta;
    double log_density;  // not finite where it could not be computed
  };
  std::vector<Place> starts = {};    // of climbs, as they were before
  std::vector<Vector> summits = {};  // modes of the density that they have climbed to
  // Where those that were dropped came to: the best search of an optimum that was known.
  std::vector<const Search*> arrivals = {};

  const Search& best() const;
};

// Steps until the search is done, or the user asks to stop, or there is enough.
void run(
    Search& search, const std::atomic<bool>* stop,
    const std::function<bool()>& enough = [] { return false; });

// More starts than chains: starts are cheap, and minor modes are common. Each climbs to the mode
// above it, if there is one, and searches from there. The first are narrow and learn the scales of
// the posterior step by step; the others begin with those scales, and look for other optima: one
// that comes to an optimum of the first ones, or to where their searches began, ends there, and is
// not kept, unless q is diagonal. Then it is asked what the starts saw before they climbed, and
// what lies further out. Where several optima hold mass there are more starts, until no mode that
// is as easy to find as they are can have been missed, but by a small chance, and each was found
// twice. Calls one_done, in any thread, for every start that is done with, of starts_of(options).
SearchResults search_all(
    const Model& model, const Approximation& prototype, const Options& options,
    const std::atomic<bool>* stop_requested, const std::function<void()>& one_done = [] {});
Index starts_of(const Options& options);

// Gaussians like the best q around summits that no optimum explains, if they hold mass: what
// searches that began there have left, for another optimum with more mass as a rule.
std::vector<std::unique_ptr<Approximation>> left_behind(const Model& model,
                                                        const SearchResults& searches,
                                                        const Options& options);

Further search_further(const Vector& start, const Model& model, SearchResults& searches,
                       const Options& options, const std::atomic<bool>* stop_requested);

// log p(y) by importance sampling from q, with its Monte Carlo error.
struct Evidence {
  double log_value = 0, standard_error = 0;
};

// An optimum, and the searches that ended in it, the best first.
struct Mode {
  std::unique_ptr<Approximation> q;
  std::vector<const Search*> searches;
  Evidence evidence = {};
  int seen = 0;  // searches that came to it, those that were dropped among them
};

std::vector<Mode> find_modes(const SearchResults& searches);

// Leaves the modes that hold mass; returns the largest share of one that does not, 0 if all do.
double drop_minor_modes(const Model& model, const Options& options, std::vector<Mode>& modes);

// One search for every chain: the best of each mode first, then the second best, and so on; and
// again from the first where there are more chains than searches.
std::vector<const Search*> starts_of_chains(const std::vector<Mode>& modes, Index chains);

}  // namespace ravi
