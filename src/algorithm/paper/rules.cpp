// The rules that Algorithm 1 is run by.
#include "algorithm/paper/rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/numeric.hpp"
#include "core/registry.hpp"

namespace ravi {
namespace {

std::vector<Block> halves_of_window(const Iterates& iterates) {
  const auto halves = iterates.last_halves();
  return {halves.begin(), halves.end()};
}

std::vector<Block> halves_of_last_half(const Iterates& iterates) { return iterates.quarters(); }

constexpr std::array kRoots = {
    RootEntry{"cholesky", "mu + L z", false},
    RootEntry{"symmetric", "mu + S z, S the symmetric root of L L'", true},
};

constexpr std::array kRhatWindows = {
    RhatWindowEntry{"window", "the last W", halves_of_window},
    RhatWindowEntry{"half", "the last half of all", halves_of_last_half},
};

constexpr std::array kRhatGates = {
    RhatGatesEntry{"joint", "all components at the same check", false},
    RhatGatesEntry{"apart", "means and scales each once, and for good", true},
};

constexpr std::array kMcseOver = {
    McseOverEntry{"average", "those averaged, since T_0", false},
    McseOverEntry{"history", "all, by positive autocorrelations at lags 1 to 99, as the ESS then",
                  true},
};

constexpr std::array kEssOver = {
    EssOverEntry{"min", "the smallest"},
    EssOverEntry{kMedian, "the median"},
};

double relative_change(double now, double before) { return std::abs((now - before) / before); }

// Kucukelbir et al. (2017), section 2.6: the relative change from one window of estimates to the
// next, of their mean or of their median.
class OfWindows final : public ElboWatch {
 public:
  explicit OfWindows(double threshold) : threshold_(threshold) {}

  bool settled(const Vector& window_elbo, long /*iteration*/) override {
    const double mean_now = mean(window_elbo), median_now = median(window_elbo);
    const bool settled = relative_change(mean_now, mean_before_) < threshold_ ||
                         relative_change(median_now, median_before_) < threshold_;
    mean_before_ = mean_now;
    median_before_ = median_now;
    return settled;
  }

 private:
  double threshold_, mean_before_ = kUnknown, median_before_ = kUnknown;
};

// The relative change of two single estimates, the last of a window and one before it, looked at
// after each window from some iteration on: the mean or the median of the last few changes, or of
// all.
class OfSingles final : public ElboWatch {
 public:
  struct Rule {
    long from;          // an iteration
    std::size_t most;   // changes
    std::size_t apart;  // windows; 0: one iteration
  };
  OfSingles(double threshold, const Rule& rule) : threshold_(threshold), rule_(rule) {}

  bool settled(const Vector& window_elbo, long iteration) override {
    const double before = estimate_before(window_elbo);
    const double now = lasts_.emplace_back(window_elbo(window_elbo.size() - 1));
    if (iteration < rule_.from || std::isnan(before)) return false;
    changes_.push_back(relative_change(now, before));
    const Vector all = to_vector(changes_);
    const Vector last = all.tail(static_cast<Index>(std::min(rule_.most, changes_.size())));
    return mean(last) < threshold_ || median(last) < threshold_;
  }

 private:
  // Unknown where the windows do not reach back as far.
  double estimate_before(const Vector& window_elbo) const {
    if (rule_.apart == 0) return window_elbo(window_elbo.size() - 2);
    return lasts_.size() < rule_.apart ? kUnknown : lasts_[lasts_.size() - rule_.apart];
  }

  double threshold_;
  Rule rule_;
  std::vector<double> lasts_, changes_;
};

std::unique_ptr<ElboWatch> of_windows(double threshold, long /*t_max*/) {
  return std::make_unique<OfWindows>(threshold);
}
// A tenth of the changes that there are at intervals of 100 until T_max.
std::size_t recent(long t_max) { return static_cast<std::size_t>(std::max(2L, t_max / 1000)); }
std::unique_ptr<ElboWatch> of_recent(double threshold, long t_max) {
  return std::make_unique<OfSingles>(threshold, OfSingles::Rule{600, recent(t_max), 0});
}
std::unique_ptr<ElboWatch> of_recent_apart(double threshold, long t_max) {
  return std::make_unique<OfSingles>(threshold, OfSingles::Rule{600, recent(t_max), 2});
}
std::unique_ptr<ElboWatch> of_all(double threshold, long /*t_max*/) {
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  return std::make_unique<OfSingles>(threshold, OfSingles::Rule{1100, kAll, 0});
}

constexpr std::array kElboRules = {
    ElboRuleEntry{"windows", "mean, or median, of a window and of the one before", of_windows, 0},
    ElboRuleEntry{"recent",
                  "successive estimates: mean, or median, of the last T_max / 1000 changes from "
                  "600 on",
                  of_recent, 0},
    ElboRuleEntry{"recent-apart", "the same of single estimates two windows apart", of_recent_apart,
                  0},
    ElboRuleEntry{"all", "as recent, of all changes from 1100 on, and 100 iterations more", of_all,
                  100},
};

Index keep_half(Iterates& iterates, long) { return iterates.forget_first_half(); }
Index keep_since_500(Iterates& iterates, long) { return iterates.forget_first(500); }
Index keep_last_200(Iterates& iterates, long all) { return iterates.forget_first(all - 200); }

constexpr std::array kElboAverages = {
    ElboAverageEntry{"half", "the second half", keep_half},
    ElboAverageEntry{"since-500", "all but the first 500", keep_since_500},
    ElboAverageEntry{"last-200", "the last 200", keep_last_200},
};

}  // namespace

std::span<const RootEntry> root_registry() { return kRoots; }
std::span<const RhatWindowEntry> rhat_window_registry() { return kRhatWindows; }
std::span<const RhatGatesEntry> rhat_gates_registry() { return kRhatGates; }
std::span<const McseOverEntry> mcse_over_registry() { return kMcseOver; }
std::span<const EssOverEntry> ess_over_registry() { return kEssOver; }
std::span<const ElboRuleEntry> elbo_rule_registry() { return kElboRules; }
std::span<const ElboAverageEntry> elbo_average_registry() { return kElboAverages; }

std::unique_ptr<Approximation> drawn_by_root(const Approximation& q, const Options& options) {
  return entry_of(root_registry(), options.root, "root").symmetric ? q.by_symmetric_root()
                                                                   : q.clone();
}

Gate::Gate(const Chains& chains, const Options& options)
    : chains_(chains),
      options_(options),
      window_(entry_of(rhat_window_registry(), options.rhat_window, "window of R-hat")),
      apart_(entry_of(rhat_gates_registry(), options.rhat_gates, "kind of gates").apart) {}

bool Gate::passes() {
  const std::vector<Block> blocks = window_.blocks(chains_.iterates());
  if (blocks.empty()) return false;
  const Vector rhat = rhat_of_blocks(blocks, options_.threads);
  rhat_ = largest(rhat);
  if (chains_.iteration() < options_.rhat_from) return false;
  const auto below = [&](const Largest& worst) { return worst.value < options_.rhat_threshold; };
  if (!apart_) return below(rhat_);
  const Index means = chains_.locations();
  means_passed_ = means_passed_ || below(largest(rhat.head(means)));
  scales_passed_ = scales_passed_ || below(largest(rhat.tail(rhat.size() - means)));
  return means_passed_ && scales_passed_;
}

}  // namespace ravi
