// What is kept of the chains' iterates lambda_t: the last window, block sums, and all since T_0.
#pragma once

#include <span>
#include <vector>

#include "ravi/types.hpp"

namespace ravi {

// Mean and sum of squared deviations of some consecutive iterates of one chain, per component.
struct Block {
  Index count = 0;
  Vector mean, squares;

  // Chan, Golub and LeVeque (1979): no cancellation however large the mean.
  void merge(const Block& next);
};

// Memory is bounded whatever the number of iterations: the last window raw; everything since the
// start or T_0 as at most 64 blocks per chain, or 32 where those would exceed kBlockBytes, merged
// in pairs when full; and, once keeping has begun, raw iterates up to kKeptBytes, or a window, of
// which every second one is dropped when that is full. Averages come from the blocks, so they are
// exact; what a thinned record cannot say of precision, the blocks' means do.
class Iterates {
 public:
  Iterates(Index chains, Index size, Index window);
  // The most that such an object can come to hold.
  static double bytes_needed(Index chains, Index size, Index window);

  Index chains() const { return static_cast<Index>(window_.size()); }
  Index size() const { return size_; }  // K

  // Where chain j writes its next window, one column per iterate; close_window() takes in the first
  // n columns of every chain's.
  Matrix& window(Index chain) { return window_[static_cast<std::size_t>(chain)]; }
  const Matrix& window(Index chain) const { return window_[static_cast<std::size_t>(chain)]; }
  void close_window(Index n, int threads = 1);
  // Part of what close_window(n) does can be done before, on the thread of the chain and while the
  // iterates are in the cache: after begin_window(n), add_up() takes in what chain j has written of
  // its window, so many columns. A window that is not going to be closed must be forgotten; room
  // that was made for it stays.
  void begin_window(Index n);
  void add_up(Index chain, Index done);
  void forget_window();
  // The halves of the last closed window, two blocks per chain, chain after chain; an odd number of
  // iterates loses the middle one. Empty below two iterates.
  std::span<const Block> last_halves() const;

  // T_0: forgets all but the last window and keeps what comes from now on, raw.
  void start_keeping();
  // The iterates kept of component k, one column per chain; or of several in a row, which costs
  // little more, because they share cache lines.
  Matrix series(Index component) const;
  void series(Index first, std::span<Matrix> components) const;
  Index kept() const { return static_cast<Index>(place_.size()); }
  // The means of component k over blocks of equal length, one column per chain.
  Matrix block_means(Index component) const;
  Index blocks() const { return static_cast<Index>(blocks_.front().size()); }
  // The variance of every component over all iterates since the start or T_0, chains pooled.
  Vector variances() const;
  Index stride() const { return stride_; }

  // Averages over the blocks, that is since the start or T_0, of one chain or of all; over the last
  // window when no block has been closed since T_0. Empty when there is nothing at all.
  Vector average(Index chain) const;
  Vector average() const;
  Vector last_window_average(Index chain) const;
  Vector last_window_average() const;

  // The last half of the blocks, halved again: two blocks per chain, chain after chain. What they
  // cover starts at half of the run or up to two blocks later. Empty below two blocks.
  std::vector<Block> quarters() const;
  // All blocks since the start or T_0 in that many parts of one length per chain, chain after
  // chain; what is left over at the beginning is in none. Empty when there are fewer blocks.
  std::vector<Block> parts(Index per_chain) const;
  // Forgets what quarters() does not cover, or blocks that lie within the first n iterates of each
  // chain, and returns how many remain.
  Index forget_first_half();
  Index forget_first(Index n);

 private:
  static constexpr std::size_t kMaxBlocks = 64;
  static constexpr Index kKeptBytes = Index{1} << 24, kBlockBytes = Index{1} << 28;

  static std::size_t most_blocks(Index chains, Index size);
  static Index most_kept(Index chains, Index size, Index window);  // iterates of every chain

  void take_in(std::size_t chain, Index n, bool new_block);
  Index first_kept() const;  // of the next window
  Index added(Index n) const;
  void make_room(Index n);
  std::size_t first_recent_block() const;
  Index forget_blocks(std::size_t first);

  Index size_;
  std::size_t most_blocks_;
  std::vector<Matrix> window_;              // per chain, K x W
  std::vector<Block> halves_;               // two per chain, of the last window
  std::vector<Block> sums_;                 // of deviations, two per chain, of the next one
  std::vector<Index> added_up_;             // per chain, columns of it that are in the sums
  Index next_window_ = 0;                   // columns that it will have; 0: it has not begun
  std::vector<std::vector<Block>> blocks_;  // per chain
  std::vector<std::vector<Block>> spare_;   // likewise, for their memory: new pages cost time
  Index last_window_ = 0;                   // columns of it that count
  Index windows_per_block_ = 1, windows_in_last_block_ = 0;

  bool keeping_ = false;
  std::vector<Matrix> kept_;  // per chain, a column per iterate
  // The columns where those kept lie, in order, and those that dropped ones have left. All chains
  // have the same, so that dropping moves nothing.
  std::vector<Index> place_, free_;
  Index stride_ = 1, seen_ = 0;
  Index first_new_ = 0;  // among those kept, of the next window
};

}  // namespace ravi
