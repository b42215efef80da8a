// What averaging asks of the chains that it averages: a window of steps, and what to do about
// chains that are lost.
#pragma once

#include <optional>
#include <vector>

#include "algorithm/judge/agreement.hpp"
#include "algorithm/judge/run.hpp"

namespace ravi {

// A round of averaging: every chain from its own start, at one step size.
struct Round {
  std::vector<Vector> start;
  double step = 0;
  bool from_averages = false;  // of a round before it; the first ones start where chains were put
};

// How the rounds of one kind of steps differ from those of another.
struct Pace {
  double first_step;  // of a round; each goes on from the last one's averages with half of its step
  Index most_rounds, most_windows;  // ..., and of one round
  Index forgetting;                 // windows in which a chain forgets where its round began
  Index first_check;                // windows kept before it
  Index (*next_check)(Index);       // likewise, after so many
  Parts parts;                      // that what is kept is compared in
  // Whether averages have a bias that falls with the step, so that it must be seen to be small
  // between two rounds; a round is then left when a smaller step is worth more than a longer one,
  // and until then its second half is what is kept.
  bool biased;
  // An average that is so uncertain, in sds, is that of chains that are lost.
  double lost_beyond;
};

class Stepper {
 public:
  virtual ~Stepper() = default;

  virtual Pace pace() const = 0;
  // Whether chains are where no step leads away from.
  virtual bool at_rest() const { return false; }

  virtual void begin(const Round& round) = 0;
  // A window of every chain, which is then closed; false when it could not be: see cut_short().
  virtual bool advance() = 0;
  // How chains that could not go on ended; nothing when they could. Those that diverged are lost.
  virtual std::optional<Termination> cut_short() const = 0;
  // Whether some chain has left the place that it was put to.
  virtual bool lost() const { return false; }
  // Changes the round that chains were lost in to one that is worth a try; false if none is.
  virtual bool recover(Round& round) = 0;

  virtual Iterates& iterates() = 0;
  virtual Vector lambda(Index chain) const = 0;
  virtual long iteration() const = 0;
  virtual double elbo() const = 0;  // of the last window, mean over the chains
};

}  // namespace ravi
