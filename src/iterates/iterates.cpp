// What is kept of the chains' iterates.
#include "iterates/iterates.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/parallel.hpp"

namespace ravi {
namespace {

// Adds x - origin and its square, of some columns, n numbers each, to sums. Together, because the
// sums are then read and written once for them all.
template <Index kColumns>
void add_deviations(const double* x, Index stride, const double* origin, Index n,
                    double* __restrict sum, double* __restrict squares) {
  for (Index row = 0; row < n; ++row) {
    double s = sum[row], q = squares[row];
    for (Index i = 0; i < kColumns; ++i) {
      const double deviation = x[i * stride + row] - origin[row];
      s += deviation;
      q += deviation * deviation;
    }
    sum[row] = s;
    squares[row] = q;
  }
}

// Adds columns begin to end of a window to sums of deviations from column `origin`, whose first
// one it is where begin is that. In parts that stay in the cache. Measured from the first column,
// so that equal values have a variance of exactly zero and a common offset costs it no digits.
void add_columns(const Matrix& window, Index origin, Index begin, Index end, Block& sums) {
  constexpr Index kTogether = 1024;
  if (begin >= end) return;
  if (begin == origin) {
    sums.mean.setZero(window.rows());
    sums.squares.setZero(window.rows());
    ++begin;
  }
  const Index stride = window.rows();
  for (Index k = 0; k < window.rows(); k += kTogether) {
    const Index rows = std::min(kTogether, window.rows() - k);
    const double* first = &window(k, origin);
    double *sum = sums.mean.data() + k, *squares = sums.squares.data() + k;
    Index i = begin;
    const auto add = [&]<Index kColumns>() {
      for (; i + kColumns <= end; i += kColumns) {
        add_deviations<kColumns>(first + (i - origin) * stride, stride, first, rows, sum, squares);
      }
    };
    add.operator()<8>();
    add.operator()<4>();
    add.operator()<1>();
  }
}

// Of n columns that have been added up, from the origin on.
void finish(const Matrix& window, Index origin, Index n, const Block& sums, Block& block) {
  block.count = n;
  if (n == 0) {
    block.mean.setZero(window.rows());
    block.squares.setZero(window.rows());
    return;
  }
  block.mean = sums.mean / static_cast<double>(n);
  block.squares = sums.squares - static_cast<double>(n) * block.mean.cwiseAbs2();
  for (double& sum : block.squares) sum = std::max(sum, 0.0);  // not below zero by rounding
  block.mean += window.col(origin);
}

// An empty one where there is none.
Block take_last(std::vector<Block>& spare) {
  if (spare.empty()) return {};
  Block block = std::move(spare.back());
  spare.pop_back();
  return block;
}

Block merged(std::span<const Block> blocks) {
  Block all = blocks.front();
  for (const Block& next : blocks.subspan(1)) all.merge(next);
  return all;
}

}  // namespace

void Block::merge(const Block& next) {
  if (next.count == 0) return;
  if (count == 0) {
    *this = next;
    return;
  }
  const auto a = static_cast<double>(count), b = static_cast<double>(next.count);
  squares += next.squares + (a * b / (a + b)) * (next.mean - mean).cwiseAbs2();
  mean += (b / (a + b)) * (next.mean - mean);
  count += next.count;
}

Iterates::Iterates(Index chains, Index size, Index window)
    : size_(size),
      most_blocks_(most_blocks(chains, size)),
      halves_(static_cast<std::size_t>(2 * chains)),
      sums_(static_cast<std::size_t>(2 * chains)),
      added_up_(static_cast<std::size_t>(chains)),
      blocks_(static_cast<std::size_t>(chains)),
      spare_(static_cast<std::size_t>(chains)),
      kept_(static_cast<std::size_t>(chains)) {
  // Not filled: memory that nobody has touched costs nothing until a chain writes to it.
  for (Index j = 0; j < chains; ++j) window_.emplace_back(size, window);
}

std::size_t Iterates::most_blocks(Index chains, Index size) {
  const double bytes = 2.0 * sizeof(double) * static_cast<double>(kMaxBlocks) *
                       static_cast<double>(chains) * static_cast<double>(size);
  return bytes > static_cast<double>(kBlockBytes) ? kMaxBlocks / 2 : kMaxBlocks;
}

Index Iterates::most_kept(Index chains, Index size, Index window) {
  return std::max(window, kKeptBytes / (Index{sizeof(double)} * std::max<Index>(1, size * chains)));
}

double Iterates::bytes_needed(Index chains, Index size, Index window) {
  // A block has two vectors, and again as much is needed while blocks are merged into parts.
  const auto columns = static_cast<double>(window + most_kept(chains, size, window)) +
                       3 * static_cast<double>(most_blocks(chains, size));
  return sizeof(double) * static_cast<double>(chains) * static_cast<double>(size) * columns;
}

void Iterates::begin_window(Index n) {
  next_window_ = n;
  first_new_ = kept();
  if (keeping_) make_room(n);
}

void Iterates::add_up(Index chain, Index done) {
  const auto j = static_cast<std::size_t>(chain);
  const Matrix& window = window_[j];
  const Index begin = std::exchange(added_up_[j], done), half = next_window_ / 2;
  const Index second = next_window_ - half;
  add_columns(window, 0, begin, std::min(done, half), sums_[2 * j]);
  add_columns(window, second, std::max(begin, second), done, sums_[2 * j + 1]);
  if (!keeping_) return;
  const Index first = first_kept();
  Index nth = begin <= first ? 0 : (begin - first + stride_ - 1) / stride_;
  for (Index i = first + nth * stride_; i < done; i += stride_, ++nth) {
    kept_[j].col(place_[static_cast<std::size_t>(first_new_ + nth)]) = window.col(i);
  }
}

void Iterates::forget_window() {
  std::ranges::fill(added_up_, 0);
  const auto first_new = place_.begin() + first_new_;
  free_.insert(free_.end(), first_new, place_.end());
  place_.erase(first_new, place_.end());
  next_window_ = 0;
}

void Iterates::close_window(Index n, int threads) {
  // Threads that are asleep take longer to wake up than a hundred thousand numbers to sum up.
  constexpr Index kWorthThreads = 100000;
  if (n * size_ * chains() < kWorthThreads) threads = 1;
  if (next_window_ != n) begin_window(n);
  last_window_ = n;
  const bool new_block = windows_in_last_block_ == 0;
  parallel_for(chains(), threads,
               [&](Index j) { take_in(static_cast<std::size_t>(j), n, new_block); });
  if (keeping_) seen_ += n;
  next_window_ = 0;
  windows_in_last_block_ = (windows_in_last_block_ + 1) % windows_per_block_;
  if (windows_in_last_block_ == 0 && blocks_.front().size() == most_blocks_) {
    for (std::size_t j = 0; j < blocks_.size(); ++j) {
      auto& blocks = blocks_[j];
      for (std::size_t b = 0; b < most_blocks_ / 2; ++b) {
        Block pair = std::move(blocks[2 * b]);
        pair.merge(blocks[2 * b + 1]);
        spare_[j].push_back(std::move(blocks[2 * b + 1]));
        blocks[b] = std::move(pair);
      }
      blocks.resize(most_blocks_ / 2);
    }
    windows_per_block_ *= 2;
  }
}

// Into the chain's last block.
void Iterates::take_in(std::size_t chain, Index n, bool new_block) {
  const Matrix& window = window_[chain];
  add_up(static_cast<Index>(chain), n);
  added_up_[chain] = 0;
  Block &first = halves_[2 * chain], &second = halves_[2 * chain + 1];
  finish(window, 0, n / 2, sums_[2 * chain], first);
  finish(window, n - n / 2, n / 2, sums_[2 * chain + 1], second);
  auto& blocks = blocks_[chain];
  if (new_block) {
    blocks.push_back(take_last(spare_[chain]));
    blocks.back().count = 0;
  }
  blocks.back().merge(first);
  if (n % 2 != 0) blocks.back().merge({1, window.col(n / 2), Vector::Zero(size_)});
  blocks.back().merge(second);
}

void Iterates::start_keeping() {
  keeping_ = true;
  for (std::size_t j = 0; j < blocks_.size(); ++j) {
    std::ranges::move(blocks_[j], std::back_inserter(spare_[j]));
    blocks_[j].clear();
  }
  windows_per_block_ = 1;
  windows_in_last_block_ = 0;
  place_.clear();
  free_.clear();
  seen_ = 0;
  stride_ = 1;
}

Index Iterates::first_kept() const { return (stride_ - seen_ % stride_) % stride_; }

// Of n more iterates.
Index Iterates::added(Index n) const {
  return first_kept() < n ? (n - first_kept() - 1) / stride_ + 1 : 0;
}

// Places for n more iterates of every chain. Every second raw one is dropped while the memory is
// full. The memory is asked for at once: what nobody has touched costs nothing.
void Iterates::make_room(Index n) {
  const Index most = most_kept(chains(), size_, window_.front().cols());
  for (Matrix& record : kept_) record.resize(size_, most);
  while (kept() + added(n) > most) {
    std::size_t left = 0;
    for (std::size_t i = 0; i < place_.size(); ++i) {
      if (i % 2 == 0) {
        place_[left++] = place_[i];
      } else {
        free_.push_back(place_[i]);
      }
    }
    place_.resize(left);
    stride_ *= 2;
  }
  first_new_ = kept();
  for (Index more = added(n); more > 0; --more) {
    if (free_.empty()) {
      place_.push_back(kept());  // nothing has been dropped from what lies before it
    } else {
      place_.push_back(free_.back());
      free_.pop_back();
    }
  }
}

void Iterates::series(Index first, std::span<Matrix> components) const {
  std::vector<double*> to(components.size());
  for (Matrix& draws : components) draws.resize(kept(), chains());
  for (Index j = 0; j < chains(); ++j) {
    for (std::size_t k = 0; k < to.size(); ++k) to[k] = components[k].col(j).data();
    const Matrix& from = kept_[static_cast<std::size_t>(j)];
    for (std::size_t i = 0; i < place_.size(); ++i) {
      const double* iterate = &from(first, place_[i]);
      for (double* draws : to) draws[i] = *iterate++;
    }
  }
}

Matrix Iterates::series(Index component) const {
  Matrix draws;
  series(component, {&draws, 1});
  return draws;
}

Matrix Iterates::block_means(Index component) const {
  const auto& first = blocks_.front();
  const bool partial = first.size() > 1 && first.back().count < first.front().count;
  const auto count = static_cast<Index>(first.size()) - (partial ? 1 : 0);
  Matrix means(count, chains());
  for (Index j = 0; j < chains(); ++j) {
    for (Index b = 0; b < count; ++b) {
      means(b, j) =
          blocks_[static_cast<std::size_t>(j)][static_cast<std::size_t>(b)].mean(component);
    }
  }
  return means;
}

Vector Iterates::variances() const {
  Block all = merged(blocks_.front());
  for (const auto& blocks : std::span(blocks_).subspan(1)) all.merge(merged(blocks));
  return all.squares / std::max(1.0, static_cast<double>(all.count - 1));
}

std::span<const Block> Iterates::last_halves() const {
  return last_window_ < 2 ? std::span<const Block>() : halves_;
}

namespace {

template <typename PerChain>
Vector mean_over_chains(Index chains, PerChain per_chain) {
  Vector sum = per_chain(0);
  for (Index j = 1; j < chains; ++j) sum += per_chain(j);
  return sum / static_cast<double>(chains);
}

}  // namespace

Vector Iterates::average(Index chain) const {
  const auto& blocks = blocks_[static_cast<std::size_t>(chain)];
  return blocks.empty() ? last_window_average(chain) : merged(blocks).mean;
}

Vector Iterates::average() const {
  return mean_over_chains(chains(), [this](Index j) { return average(j); });
}

Vector Iterates::last_window_average(Index chain) const {
  if (last_window_ == 0) return {};
  return window_[static_cast<std::size_t>(chain)].leftCols(last_window_).rowwise().mean();
}

Vector Iterates::last_window_average() const {
  return mean_over_chains(chains(), [this](Index j) { return last_window_average(j); });
}

std::size_t Iterates::first_recent_block() const {
  // An even number of blocks, so that the halves are equally long, and never more than half of the
  // run, which would reach into the transient.
  const std::size_t count = blocks_.front().size();
  return count < 2 ? count : count - std::max<std::size_t>(2, count / 4 * 2);
}

std::vector<Block> Iterates::quarters() const {
  std::vector<Block> result;
  const std::size_t first = first_recent_block();
  for (const auto& blocks : blocks_) {
    const auto recent = std::span(blocks).subspan(first);
    if (recent.size() < 2) continue;
    result.push_back(merged(recent.first(recent.size() / 2)));
    result.push_back(merged(recent.last(recent.size() / 2)));
  }
  return result;
}

std::vector<Block> Iterates::parts(Index per_chain) const {
  std::vector<Block> result;
  for (const auto& blocks : blocks_) {
    // The last block may be shorter than the others, which a part of many does not notice.
    const std::size_t length = blocks.size() / static_cast<std::size_t>(per_chain);
    if (length == 0) return {};
    auto rest = std::span(blocks).last(length * static_cast<std::size_t>(per_chain));
    for (; !rest.empty(); rest = rest.subspan(length)) result.push_back(merged(rest.first(length)));
  }
  return result;
}

Index Iterates::forget_first_half() { return forget_blocks(first_recent_block()); }

Index Iterates::forget_first(Index n) {
  std::size_t count = 0;
  for (const Block& block : blocks_.front()) {
    n -= block.count;
    if (n < 0) break;
    ++count;
  }
  return forget_blocks(count);
}

Index Iterates::forget_blocks(std::size_t first) {
  Index count = 0;
  for (auto& blocks : blocks_) {
    blocks.erase(blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(first));
    count = 0;
    for (const Block& block : blocks) count += block.count;
  }
  const auto dropped = place_.end() - std::min(kept(), count / stride_);
  free_.insert(free_.end(), place_.begin(), dropped);
  place_.erase(place_.begin(), dropped);
  return count;
}

}  // namespace ravi
