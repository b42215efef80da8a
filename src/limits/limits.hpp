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
  fewest_effective,
  unseen_mass,
  firm_unseen_mass,
  unseen_variance,
  coarse,
  share_of_q,
  one_look_ess,
  one_look_khat,
  // How many there are.
  first_look,
  full_look,
  further_look,
  further_looks,
  // Where importance draws come from.
  wide_degrees,
  belief,
  matched_pairs,
  // Tails.
  far_out,
  short_tail,
  tail_draws,
  far_out_together,
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
  correlation,
  parts_of_chain,
  enough_for_error,
  // Whether the gradient is that of the density.
  gradient_tolerance,
  gradient_firmly,
  gradient_places,
  gradient_directions,
  // Climbs.
  climb_evaluations,
  step_factor,
  climb_armijo,
  climb_curvature,
  climb_worth,
  climb_patience,
  climb_stops,
  climb_margin,
  climb_memory,
  climb_tries,
  stop_draws,
  // Second-order steps.
  least_draws,
  draws_per_coordinate,
  ridge,
  linear,
  most_change,
  mean_field_cap,
  // Searches.
  search_near,
  search_patience,
  bent_upwards,
  bent_cap,
  nonlinearity_allowed,
  exact,
  // Averaging.
  long_step,
  long_step_up_to,
  middle_step,
  middle_step_up_to,
  first_step,
  most_rounds,
  most_windows,
  lost,
  fallen,
  at_rest,
  saving,
  share_for_error,
  narrow_start,
  rescues,
  rescue_factor,
  // Starts, and what is looked at besides.
  start_scale,
  starts_per_chain,
  same_summit,
  scouts,
  scout_distance,
  dense_coordinates,
  regression_coordinates,
  // Mini-batches.
  rows_per_coordinate,
  rows_of_search,
  // Bending.
  bend_coordinates,
  bend_draws,
  bend_draws_per_coordinate,
  bend_worth,
  bend_gain,
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
