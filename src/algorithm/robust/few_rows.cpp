// Searches on a few rows of the data, and the way from their optima to those of all rows.
#include "algorithm/robust/few_rows.hpp"

#include <algorithm>

#include "algorithm/judge/agreement.hpp"
#include "core/parallel.hpp"
#include "core/stop.hpp"
#include "limits/limits.hpp"

namespace ravi {

FewRows::FewRows(const Model& model, const Options& options)
    : model_(model),
      row_model_(options.minibatch > 0 ? dynamic_cast<const RowModel*>(&model) : nullptr),
      batches_(rows_of(model), options.minibatch, options.seed, stream_of::rows_of_searches) {
  if (row_model_ == nullptr) return;
  rows_ = batches_.at(0);
  few_.emplace(*row_model_, nullptr, rows_);
}

void FewRows::move_to_all(SearchResults& searches, const Options& options,
                          const std::atomic<bool>* stop_requested) {
  if (row_model_ == nullptr || searches.found.empty()) return;
  // Anchors are moved until the optimum moves by less than noise does.
  const auto arrived = limit(Limit::worth) * static_cast<double>(model_.dimension());
  const auto found = static_cast<Index>(searches.found.size());
  places_.resize(searches.found.size());
  std::vector<std::int64_t> evaluations(searches.found.size());
  // Searches from anchors are numbered on from those that there were, anchor by anchor.
  const auto number = [begun = searches.begun](Index anchor, Index i) {
    return static_cast<std::uint32_t>(anchor + 1) * begun + static_cast<std::uint32_t>(i);
  };
  parallel_for(found, resolve_threads(options.threads), [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    for (Index k = 0; k < 2 * count(Limit::search_patience) && !requested(stop_requested); ++k) {
      Search& known = searches.found[at];
      auto place = std::make_unique<Place>(*row_model_, known.best().center(), rows_);
      ++evaluations[at];
      if (!place->anchor.finite()) return;
      Search next(place->rows, known.best(), options.draws, options.seed, number(k, i));
      run(next, stop_requested);
      evaluations[at] += next.evaluations();
      if (!next.found()) return;
      const double moved = symmetrized_kl(known.best(), next.best());
      known = std::move(next);
      places_[at] = std::move(place);
      if (moved < arrived) return;
    }
  });
  for (const std::int64_t n : evaluations) searches.evaluations += n;
}

}  // namespace ravi
