// The one table of every number that decides a step or a verdict of the default method.
#pragma once

#include <span>
#include <string_view>

#include "ravi/types.hpp"

namespace ravi {

// In the order of the table. Options, which a user sets, have a table of their own (options.hpp),
// and so have sizes that bound memory or suit a cache, which change no number, their own places.
enum class Limit {
  // What the weights of importance draws must be.
  accurate_khat,
  longest_tail,
  counting_draws,
  hardly_varying_ess,
  unseen_mass,
  firm_unseen_mass,
  unseen_variance,
  coarse,
  share_of_q,
  // How many there are.
  first_look,
  full_look,
  further_looks,
  // Where importance draws come from.
  wide_degrees,
  draws_of_moments,
  // Tails.
  far_out,
  most_varied,
  // Moved draws.
  moved_draws,
  moved_tempering,
  few_moves,
  moved_accepted,
  trajectory_steps,
  tries,
  moved_superchains,
  moved_rhat,
  // What chains must have done.
  tail_index,
  error_rate,
  failed_draws,
  same_optimum,
  settled_apart,
  negligible_mass,
  fall_between,
  points_between,
  drift,
  parts_of_chain,
  enough_for_error,
  // Whether the gradient is that of the density.
  gradient_tolerance,
  // Climbs.
  most_steps,
  climb_steps,
  worth,
  step_factor,
  // Second-order steps.
  least_draws,
  draws_per_coordinate,
  ridge,
  most_change,
  // Searches.
  search_patience,
  bent_upwards,
  bent_cap,
  nonlinearity_allowed,
  exact,
  // Averaging.
  first_step,
  most_rounds,
  lost,
  share_for_error,
  // Starts, and what is looked at besides.
  start_scale,
  starts_per_chain,
  scouts,
  scout_distance,
  dense_coordinates,
  // Mini-batches.
  rows_per_coordinate,
  // Bending.
  bend_coordinates,
  bend_draws,
  bend_draws_per_coordinate,
  bend_worth,
  bend_left,
  bend_batches,
  bend_face,
  bend_perplexity,
};

struct LimitEntry {
  Limit limit;
  std::string_view name;
  double value;
  std::string_view meaning;
  // A paper, a derivation, or what measures it.
  std::string_view origin;
};

std::span<const LimitEntry> limit_table();

// In a build for bench/sensitivity (RAVI_SCALED_LIMITS) one of them is scaled, by the environment
// variable RAVI_SCALED_LIMIT=NAME=FACTOR; in every other build this is the number of the table.
double limit(Limit which);
// Of something that is counted.
Index count(Limit which);

}  // namespace ravi
