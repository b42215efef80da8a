// Searches from several starts, and the optima they end in.
#include "algorithm/robust/optima.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "algorithm/judge/agreement.hpp"
#include "algorithm/judge/modes.hpp"
#include "core/numeric.hpp"
#include "core/parallel.hpp"
#include "core/starts.hpp"
#include "core/stop.hpp"
#include "diagnostics/psis.hpp"
#include "limits/limits.hpp"
#include "scoring/looks.hpp"
#include "scoring/proposal.hpp"

namespace ravi {
namespace {

// How far below the best one's evidence an optimum is with next to no mass.
double negligible_evidence() { return -std::log(limit(Limit::negligible_mass)); }

auto find_same(auto& modes, const Approximation& q, double near) {
  return std::ranges::find_if(modes,
                              [&](const Mode& mode) { return symmetrized_kl(*mode.q, q) < near; });
}

// Whether two points are as near as that, as a divergence of Gaussians like the mode's around them.
bool close(const Mode& mode, const Vector& a, const Vector& b, double near) {
  Matrix ends(a.size(), 2), z(a.size(), 2);
  ends << a, b;
  mode.q->inverse(ends, z);
  return 0.5 * (z.col(1) - z.col(0)).squaredNorm() < near;
}

// Whether a point is the mode of the density from which a known optimum was found.
bool at_summit(const Mode& mode, const Vector& theta) {
  return std::ranges::any_of(mode.searches, [&](const Search* other) {
    return other->summit() && close(mode, *other->summit(), theta, limit(Limit::same_optimum));
  });
}

// Whether the climb of a search has ended there, or close to the mean of the optimum.
bool climbed_to(const Mode& mode, const Search& search, double near) {
  if (!search.summit()) return false;
  return close(mode, mode.q->mean(), *search.summit(), near) || at_summit(mode, *search.summit());
}

// Where a search begins. Where there is no mode, its way can lead near the mass, or into a neck: of
// two that begin in much the same place, a start and its mirror, one looks there and one does not.
struct Start {
  Vector theta;
  Search::OnTheWay way;
};

void record(const Search& search, SearchResults& searches) {
  searches.evaluations += search.evaluations();
  searches.failed += search.failed();
  searches.elbo.push_back(search.elbo_trace());
  if (searches.first_failure.size() == 0) searches.first_failure = search.first_failure();
}

// Every other one of a list looks at its way.
Search::OnTheWay in_turn(std::size_t place) {
  return place % 2 == 0 ? Search::OnTheWay::looked_at : Search::OnTheWay::passed;
}

// Searches from so many starts, each to its end, or to an optimum that is known: those are
// dropped. All begin with the shape of one q.
void search_from(const std::vector<Start>& starts, const Approximation& shape, const Model& model,
                 const std::vector<Mode>& known, const Options& options,
                 const std::atomic<bool>* stop, const std::function<void()>& one_done,
                 SearchResults& searches) {
  const auto count = static_cast<Index>(starts.size());
  std::vector<Search> all;
  const auto q = shape.clone();
  for (const Start& start : starts) {
    q->center_at(start.theta);
    all.emplace_back(model, *q, options.draws, options.seed, searches.begun++);
  }
  // The noise of a batch moves every coordinate a little, so that searches around one optimum are
  // further apart where there are many.
  const double near = limit(Limit::same_optimum) + static_cast<double>(model.dimension()) / 16;
  std::vector<const Mode*> arrived(all.size(), nullptr);
  parallel_for(count, resolve_threads(options.threads), [&](Index i) {
    const auto place = static_cast<std::size_t>(i);
    Search& search = all[place];
    search.climb(shape.closed() ? starts[place].way : Search::OnTheWay::passed, stop,
                 [&](const Vector& theta) {
                   return std::ranges::any_of(
                       known, [&](const Mode& mode) { return at_summit(mode, theta); });
                 });
    const auto at = [&](auto mode) { return mode == known.end() ? nullptr : &*mode; };
    arrived[place] = at(std::ranges::find_if(
        known, [&](const Mode& mode) { return climbed_to(mode, search, near); }));
    if (!arrived[place]) {
      run(search, stop, [&] {
        if (!known.empty() && search.found()) {
          arrived[place] = at(find_same(known, search.best(), near));
        }
        return arrived[place] != nullptr;
      });
    }
    one_done();
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    Search& s = all[i];
    record(s, searches);
    searches.starts.push_back({starts[i].theta, s.log_density_of_start()});
    if (s.summit()) searches.summits.push_back(*s.summit());
    if (arrived[i]) {
      searches.arrivals.push_back(arrived[i]->searches.front());
    } else if (s.found()) {
      searches.found.push_back(std::move(s));
    }
  }
}

Evidence estimate_evidence(const Model& model, const Approximation& q, const Options& options,
                           std::uint32_t which) {
  // As many as are looked at first.
  const Index n = std::max<Index>(
      kPair, options.psis_draws * first_look().of_q / kBlocksOfBatch / kPair * kPair);
  ImportanceDraws drawn(model, {&q}, options, which, n, false);
  drawn.draw_from_q(1);
  const Vector log_ratio = drawn.log_ratio();
  if (!(log_ratio.maxCoeff() > -kInf)) return {-kInf, 0};
  const Psis smoothed = psis(log_ratio);
  return {log_sum_exp(smoothed.log_weights) - std::log(static_cast<double>(n)),
          std::sqrt(std::max(0.0, 1 / smoothed.ess - 1 / static_cast<double>(n)))};
}

// Whether it is not negligible beside that evidence, unless by chance.
bool holds_mass(const Model& model, const Approximation& q, const Options& options,
                std::uint32_t which, double evidence) {
  const Evidence of_q = estimate_evidence(model, q, options, which);
  return of_q.log_value + 2 * of_q.standard_error >= evidence - negligible_evidence();
}

}  // namespace

void run(Search& search, const std::atomic<bool>* stop, const std::function<bool()>& enough) {
  for (Index done = 0;
       done < 2 * count(Limit::most_steps) && search.state() == Search::State::moving; ++done) {
    if (requested(stop)) return;
    search.run(1);
    if (enough()) return;
  }
}

const Search& SearchResults::best() const {
  return *std::ranges::max_element(found, {}, &Search::best_elbo);
}

namespace {

// Whether some optimum has mass at a point where log p is that much.
class Explained {
 public:
  explicit Explained(const SearchResults& searches)
      : modes_(find_modes(searches)), evidence_(searches.best().best_elbo()) {}

  bool operator()(const Vector& theta, double log_density) const {
    return std::ranges::any_of(
        modes_, [&](const Mode& mode) { return explains(mode, theta, log_density); });
  }
  // The only mode that has mass there, if there is one.
  const Mode* by_one(const Vector& theta, double log_density) const {
    const Mode* only = nullptr;
    for (const Mode& mode : modes_) {
      if (!explains(mode, theta, log_density)) continue;
      if (only != nullptr) return nullptr;
      only = &mode;
    }
    return only;
  }
  const std::vector<Mode>& modes() const { return modes_; }
  double evidence() const { return evidence_; }

 private:
  bool explains(const Mode& mode, const Vector& theta, double log_density) const {
    return mode.q->log_density(theta)(0) + evidence_ > log_density - negligible_evidence();
  }

  std::vector<Mode> modes_;
  double evidence_;
};

// A search that begins with a wide q, where a climb would lead into what is narrow.
void search_without_climbing(const Approximation& wide, const Model& model, const Options& options,
                             const std::atomic<bool>* stop, SearchResults& searches) {
  Search search(model, wide, options.draws, options.seed, searches.begun++);
  run(search, stop);
  record(search, searches);
  if (search.found()) searches.found.push_back(std::move(search));
}

// What the starts saw before they climbed: log p, over the density of the standard normal that they
// are drawn from, estimates the evidence as draws of any other q do. Where it is not far below that
// of the optima, and none of them explains it, a narrow part of the posterior has hidden a wide
// one, and one more search begins with the standard normal itself.
void search_where_starts_were(const Model& model, const Approximation& prototype,
                              const Options& options, const std::atomic<bool>* stop,
                              SearchResults& searches) {
  const Index p = model.dimension();
  const Explained explained(searches);
  std::vector<double> unexplained;
  for (const auto& [start, seen] : searches.starts) {
    if (!std::isfinite(seen) || explained(start, seen)) continue;
    unexplained.push_back(seen + 0.5 * (start.squaredNorm() + static_cast<double>(p) * kLog2Pi));
  }
  if (unexplained.empty()) return;
  const Vector ratios =
      Eigen::Map<const Vector>(unexplained.data(), static_cast<Index>(unexplained.size()));
  const auto starts = static_cast<double>(searches.starts.size());
  if (!(log_sum_exp(ratios) - std::log(starts) > explained.evidence() - negligible_evidence()))
    return;
  search_without_climbing(*prototype.member(prototype.isotropic(Vector::Zero(p), 1)), model,
                          options, stop, searches);
}

// Of points that are looked at, those that no optimum explains: from the highest of them, a few,
// searches begin. Only densities are computed of the others. All with an index from `first` on must
// be higher than a level besides. A mode that alone explains one of them would have been found
// there: that counts as one search that came to it.
void search_unexplained(const Matrix& theta, Index first, double level, const Approximation& shape,
                        const Explained& explained, const Model& model, const Options& options,
                        const std::atomic<bool>* stop, SearchResults& searches) {
  Vector seen(theta.cols());
  model.log_density(theta, seen);
  searches.evaluations += theta.cols();
  std::vector<Index> worth;
  std::set<const Mode*> seen_again;
  for (Index i = 0; i < theta.cols(); ++i) {
    if (!std::isfinite(seen(i)) || (i >= first && seen(i) < level)) continue;
    if (!explained(theta.col(i), seen(i))) {
      worth.push_back(i);
    } else if (const Mode* mode = explained.by_one(theta.col(i), seen(i))) {
      seen_again.insert(mode);
    }
  }
  for (const Mode& mode : explained.modes()) {
    if (seen_again.contains(&mode)) searches.arrivals.push_back(mode.searches.front());
  }
  if (worth.empty()) return;
  std::ranges::stable_sort(worth, std::greater{}, [&](Index i) { return seen(i); });
  std::vector<Start> starts;
  worth.resize(std::min(worth.size(), static_cast<std::size_t>(options.chains)));
  for (const Index i : worth) starts.push_back({theta.col(i), in_turn(starts.size())});
  search_from(
      starts, shape, model, explained.modes(), options, stop, [] {}, searches);
}

// Starts are where a posterior on the scale of one would be; this looks elsewhere: further
// out than the best q goes, for points that no optimum explains, and further than the starts, for
// points that are as high as draws of the best q. In most posteriors there are none.
void look_elsewhere(const Model& model, const Options& options, const std::atomic<bool>* stop,
                    SearchResults& searches) {
  const Index p = model.dimension(), scouts = count(Limit::scouts);
  const Explained explained(searches);
  const auto best = searches.best().best().clone();
  Matrix theta(p, 2 * scouts);
  RandomStream(options.seed, Purpose::climb, stream_of::scouts, 0).fill_normal(theta);
  theta *= limit(Limit::scout_distance);
  best->forward(Matrix(theta.leftCols(scouts)), theta.leftCols(scouts));
  const double level = explained.evidence() - best->entropy() - negligible_evidence();
  search_unexplained(theta, scouts, level, *best, explained, model, options, stop, searches);
}

// A normal distribution with the moments of the modes together, each counted once, and wider.
std::unique_ptr<Approximation> around_all(const std::vector<Mode>& modes) {
  const auto count = static_cast<double>(modes.size());
  Vector mean = Vector::Zero(modes.front().q->dimension()), second = mean;
  for (const Mode& mode : modes) {
    mean += mode.q->mean() / count;
    second += (mode.q->mean().array().square() + mode.q->sd().array().square()).matrix() / count;
  }
  const Vector sd = (second.array() - mean.array().square()).sqrt();
  const Approximation& any = *modes.front().q;
  return any.member(any.lambda_of(mean, limit(Limit::scout_distance) * Matrix(sd.asDiagonal())));
}

// A mode that is far narrower than others is climbed to from hardly anywhere, but is seen by many
// points among and around the modes that are known.
void look_among_modes(const Approximation& wide, std::uint32_t number, const Approximation& narrow,
                      const Model& model, const Options& options, const std::atomic<bool>* stop,
                      SearchResults& searches) {
  Matrix z(model.dimension(), options.psis_draws / kPair), theta(z);
  RandomStream(options.seed, Purpose::climb, stream_of::scouts, number).fill_normal(z);
  // Half of them no further than the modes are.
  z.leftCols(z.cols() / 2) /= limit(Limit::scout_distance);
  wide.forward(z, theta);
  search_unexplained(theta, theta.cols(), 0, narrow, Explained(searches), model, options, stop,
                     searches);
}

// Each of m known modes is taken for as easy to find as one that is not known: n starts miss that
// one with a chance of (1 - 1 / (m + 1))^n.
Index starts_for(std::size_t modes) {
  const double others = 1 - 1 / static_cast<double>(modes + 1);
  return static_cast<Index>(std::ceil(std::log(limit(Limit::negligible_mass)) / std::log(others)));
}

// How many searches came to each region that optima are in.
std::vector<int> seen_in_regions(const Model& model, const std::vector<Mode>& modes) {
  std::vector<Vector> means;
  for (const Mode& mode : modes) means.push_back(mode.q->mean());
  const std::vector<std::size_t> region = regions_of(model, means);
  std::vector<int> seen(modes.size(), 0);
  for (std::size_t m = 0; m < modes.size(); ++m) seen[region[m]] += modes[m].seen;
  std::erase(seen, 0);
  return seen;
}

// Where there are several modes there may be more: half of the further starts are as before, half
// as far as the known modes are from each other, and two searches of each round do not climb. What
// was found once after twice as many starts as that takes stays so.
void look_for_more_modes(const Model& model, const Approximation& prototype, const Options& options,
                         const std::atomic<bool>* stop, SearchResults& searches) {
  const Index p = model.dimension(), of_round = starts_of(options);
  Index starts = of_round, number = of_round;
  bool looked = false;
  while (!requested(stop)) {
    std::vector<Mode> modes = find_modes(searches);
    drop_minor_modes(model, options, modes);
    const std::vector<int> seen = seen_in_regions(model, modes);
    // Several in one region may have hidden another region, which a look shows for densities alone.
    if (modes.size() > 1 && seen.size() < 2 && !looked) {
      looked = true;
      auto narrow = searches.best().best().clone();
      narrow->widen(limit(Limit::start_scale));
      look_among_modes(*around_all(modes), static_cast<std::uint32_t>(number), *narrow, model,
                       options, stop, searches);
      continue;
    }
    const Index enough = starts_for(seen.size());
    const bool once = std::ranges::min(seen) < 2;
    if (seen.size() < 2 || starts >= 2 * enough || (starts >= enough && !once)) return;
    // On a sphere every search has a mode of its own: what has more modes than there are chains for
    // is looked for as long as they would take.
    if (starts >= starts_for(static_cast<std::size_t>(of_round))) return;
    const auto wide = around_all(modes);
    std::vector<Start> near, far;
    for (Index i = 0; i < of_round; ++i, ++number) {
      Vector theta = mirrored_start(p, options.seed, number);
      std::vector<Start>& starts_there = i % 4 < 2 ? near : far;
      if (&starts_there == &far) wide->forward(Vector(theta), theta);
      starts_there.push_back({theta, in_turn(starts_there.size())});
    }
    const auto shape = searches.best().best().clone();
    search_from(
        near, *shape, model, find_modes(searches), options, stop, [] {}, searches);
    shape->widen(limit(Limit::start_scale));
    search_from(
        far, *shape, model, find_modes(searches), options, stop, [] {}, searches);
    search_without_climbing(*prototype.member(prototype.isotropic(Vector::Zero(p), 1)), model,
                            options, stop, searches);
    search_without_climbing(*wide, model, options, stop, searches);
    look_among_modes(*wide, static_cast<std::uint32_t>(number), *shape, model, options, stop,
                     searches);
    starts += of_round;
  }
}

}  // namespace

Index starts_of(const Options& options) { return count(Limit::starts_per_chain) * options.chains; }

SearchResults search_all(const Model& model, const Approximation& prototype, const Options& options,
                         const std::atomic<bool>* stop, const std::function<void()>& one_done) {
  const Index p = model.dimension();
  SearchResults searches;
  const auto search = [&](Index first, Index count) {
    // The first searches of a q that explains little come less near to the optimum than those that
    // begin with its scales, which the chains then start from.
    std::vector<Mode> known;
    if (prototype.closed()) known = find_modes(searches);
    std::vector<Start> starts;
    for (Index i = first; i < first + count; ++i) {
      starts.push_back({mirrored_start(p, options.seed, i),
                        is_mirror(i) ? Search::OnTheWay::passed : Search::OnTheWay::looked_at});
    }
    const auto shape =
        searches.found.empty()
            ? prototype.member(prototype.isotropic(Vector::Zero(p), limit(Limit::start_scale)))
            : searches.best().best().clone();
    search_from(starts, *shape, model, known, options, stop, one_done, searches);
  };
  // Before the scales are known: a start and its mirror; more of a q that explains little, where
  // the better the first scales, the better where searches end. Then all others.
  const Index narrow = prototype.closed() ? 2 : options.chains;
  search(0, narrow);
  if (requested(stop)) return searches;
  search(narrow, starts_of(options) - narrow);
  if (searches.found.empty() || requested(stop)) return searches;
  if (prototype.closed()) {
    search_where_starts_were(model, prototype, options, stop, searches);
    look_elsewhere(model, options, stop, searches);
  }
  look_for_more_modes(model, prototype, options, stop, searches);
  return searches;
}

std::vector<std::unique_ptr<Approximation>> left_behind(const Model& model,
                                                        const SearchResults& searches,
                                                        const Options& options) {
  std::vector<std::unique_ptr<Approximation>> result;
  const Explained explained(searches);
  for (const Vector& summit : searches.summits) {
    Vector seen(1);
    model.log_density(summit, seen);
    const auto near = [&](const std::unique_ptr<Approximation>& other) {
      Matrix z(summit.size(), 1);
      other->inverse(summit, z);
      return z.squaredNorm() < limit(Limit::same_optimum);
    };
    if (!std::isfinite(seen(0)) || explained(summit, seen(0))) continue;
    if (std::ranges::any_of(result, near)) continue;
    auto q = searches.best().best().clone();
    q->center_at(summit);
    result.push_back(std::move(q));
  }
  // Summits without mass are common: where a scale goes to zero, for example.
  std::uint32_t number = stream_of::first_summit;
  std::erase_if(result, [&](const std::unique_ptr<Approximation>& q) {
    return !holds_mass(model, *q, options, number++, explained.evidence());
  });
  return result;
}

Further search_further(const Vector& start, const Model& model, SearchResults& searches,
                       const Options& options, const std::atomic<bool>* stop) {
  const Explained explained(searches);
  const std::int64_t before = searches.evaluations;
  const std::size_t known = searches.found.size();
  // What q does not explain may be far narrower than q.
  const auto shape = searches.best().best().clone();
  shape->widen(limit(Limit::start_scale));
  search_from(
      {{start, Search::OnTheWay::looked_at}}, *shape, model, explained.modes(), options, stop,
      [] {}, searches);
  Further result{nullptr, searches.evaluations - before};
  if (searches.found.size() == known) return result;
  auto q = searches.found.back().best().clone();
  if (holds_mass(model, *q, options, stream_of::further_optimum, explained.evidence())) {
    result.q = std::move(q);
  }
  return result;
}

std::vector<Mode> find_modes(const SearchResults& searches) {
  std::vector<const Search*> by_elbo;
  for (const Search& s : searches.found) by_elbo.push_back(&s);
  std::ranges::stable_sort(by_elbo, std::greater{}, &Search::best_elbo);
  std::vector<Mode> modes;
  for (const Search* s : by_elbo) {
    auto q = s->best().clone();
    const auto same = find_same(modes, *q, limit(Limit::same_optimum));
    if (same == modes.end()) {
      modes.push_back({.q = std::move(q), .searches = {s}});
    } else {
      same->searches.push_back(s);
    }
  }
  for (Mode& mode : modes) {
    mode.seen = static_cast<int>(mode.searches.size());
    for (const Search* known : searches.arrivals) {
      mode.seen += static_cast<int>(std::ranges::count(mode.searches, known));
    }
  }
  return modes;
}

double drop_minor_modes(const Model& model, const Options& options, std::vector<Mode>& modes) {
  if (modes.size() == 1) return 0;
  const Mode* best = nullptr;
  for (std::size_t m = 0; m < modes.size(); ++m) {
    modes[m].evidence = estimate_evidence(model, *modes[m].q, options,
                                          stream_of::first_optimum + static_cast<std::uint32_t>(m));
    if (!best || modes[m].evidence.log_value > best->evidence.log_value) best = &modes[m];
  }
  double share = 0;
  const Evidence highest = best->evidence;
  std::erase_if(modes, [&](const Mode& mode) {
    const double below = highest.log_value - mode.evidence.log_value;
    const double error = std::hypot(highest.standard_error, mode.evidence.standard_error);
    if (!(below - 2 * error > negligible_evidence())) return false;
    share = std::max(share, std::exp(-below));
    return true;
  });
  return share;
}

std::vector<const Search*> starts_of_chains(const std::vector<Mode>& modes, Index chains) {
  std::vector<const Search*> starts;
  std::size_t most = 0;
  for (const Mode& mode : modes) most = std::max(most, mode.searches.size());
  for (std::size_t rank = 0; rank < most; ++rank) {
    for (const Mode& mode : modes) {
      if (rank < mode.searches.size() && static_cast<Index>(starts.size()) < chains) {
        starts.push_back(mode.searches[rank]);
      }
    }
  }
  for (std::size_t i = 0; static_cast<Index>(starts.size()) < chains; ++i) {
    starts.push_back(starts[i]);
  }
  return starts;
}

}  // namespace ravi
