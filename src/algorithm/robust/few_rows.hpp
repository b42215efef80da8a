// Searches on a few rows of the data, and the way from their optima to those of all rows.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "algorithm/robust/optima.hpp"
#include "objective/anchored_rows.hpp"
#include "objective/minibatch.hpp"

namespace ravi {

// Without mini-batches, the model itself. With them the searches see n of the N rows, the same ones
// in every step. The optimum of these is about (N / n)^(1/2) posterior standard deviations away
// from that of all rows; anchored there, about (P / n)^(1/2) times as far, and so on: a few passes
// over the data lead to the optimum (Jordan, Lee and Yang 2019 call such a density a surrogate
// likelihood).
class FewRows {
 public:
  FewRows(const Model& model, const Options& options);

  const Model& model() const { return few_ ? *few_ : model_; }

  // Takes each search that found an optimum on to one of all rows.
  void move_to_all(SearchResults& searches, const Options& options,
                   const std::atomic<bool>* stop_requested);

 private:
  // What a search refers to.
  struct Place {
    Anchor anchor;
    AnchoredRows rows;
    Place(const RowModel& model, const Vector& at, Rows which)
        : anchor(model, at), rows(model, &anchor, which) {}
  };

  const Model& model_;
  const RowModel* row_model_;  // null without mini-batches
  MiniBatches batches_;
  Rows rows_;
  std::optional<AnchoredRows> few_;
  std::vector<std::unique_ptr<Place>> places_;
};

}  // namespace ravi
