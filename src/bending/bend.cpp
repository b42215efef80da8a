// From a Gaussian to one that bends: find what drives, fit, draw, and fit again.
#include "bending/bend.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "bending/conditional.hpp"
#include "bending/drivers.hpp"
#include "bending/marginal.hpp"
#include "core/numeric.hpp"
#include "core/parallel.hpp"
#include "core/rng.hpp"
#include "core/stop.hpp"
#include "limits/limits.hpp"
#include "scoring/weights.hpp"

namespace ravi {
namespace {

constexpr Index kMostLayers = 6;
// Of draws that see what q may miss: how much wider drivers are, and what is given them.
constexpr double kWider = 1.6, kWiderGiven = 1.1;

Matrix mirrored(Index p, Index pairs, RandomStream& stream) {
  Matrix z(p, 2 * pairs);
  for (Index i = 0; i < pairs; ++i) {
    stream.fill_normal(z.col(2 * i));
    z.col(2 * i + 1) = -z.col(2 * i);
  }
  return z;
}

Bent::Frame frame_of(const Approximation& gaussian) {
  const Matrix l = gaussian.scale();
  const Index p = gaussian.dimension();
  return {.mu = gaussian.mean(),
          .a = l,
          .a_inverse = l.triangularView<Eigen::Lower>().solve(Matrix::Identity(p, p)),
          .log_det = l.diagonal().array().log().sum(),
          .drivers = 0};
}

// The first coordinates become those along the drivers.
Matrix turn(const Drivers& drivers, Bent::Frame& frame) {
  const Matrix q = drivers.directions.householderQr().householderQ();
  frame.a = frame.a * q;
  frame.a_inverse = q.transpose() * frame.a_inverse;
  frame.drivers = drivers.directions.cols();
  frame.driving = drivers.coordinates;
  return q;
}

struct Fitted {
  Bent q;
  std::vector<Marginal::Face> open;  // faces that may have mass beyond
};

Fitted fit_to(const Bank& bank, const Bent::Frame& frame, Index layers, int threads) {
  const Index r = frame.drivers;
  DriverBasis basis(bank.x.topRows(r));
  Conditional conditional = fit_conditional(bank, frame, basis, layers, threads);
  Marginal marginal = fit_marginal(bank, conditional, r);
  Vector lowest(r), highest(r);
  for (Index k = 0; k < r; ++k) {
    lowest(k) = marginal.density.axes()[static_cast<std::size_t>(k)].first;
    highest(k) = marginal.density.axes()[static_cast<std::size_t>(k)].last();
  }
  basis.confine(lowest, highest);
  std::erase_if(marginal.faces, [](const Marginal::Face& face) {
    return !(face.log_density > -limit(Limit::bend_face));
  });
  return {Bent(frame, std::move(basis), std::move(conditional.layers), std::move(marginal.density)),
          std::move(marginal.faces)};
}

// Half of them of q; the others wider, and, where a face is open, half of those beyond it.
Matrix next_batch(const Fitted& fitted, Index count, RandomStream& stream) {
  const Index p = fitted.q.dimension(), r = fitted.q.frame().drivers;
  Matrix z = mirrored(p, count / 2, stream);
  const Index wide = count / 2, faces = std::ssize(fitted.open);
  z.topRightCorner(r, wide) *= kWider;
  z.bottomRightCorner(p - r, wide) *= kWiderGiven;
  for (Index i = 0; faces > 0 && i < wide / 2; ++i) {
    const Marginal::Face& face = fitted.open[static_cast<std::size_t>(i % faces)];
    double& at = z(face.driver, count - 1 - i);
    at = face.side * (2 + std::abs(at));
  }
  return z;
}

// The log ratios of the first half, which is of q.
Vector try_batch(const Model& model, const Bent& q, const Matrix& z, int threads, Bank& bank) {
  const Index half = z.cols() / 2, before = bank.size();
  const Bent::Frame& frame = q.frame();
  Matrix theta(z.rows(), z.cols());
  q.forward(z, theta);
  const std::vector<Index> usable =
      bank.add(model, frame, frame.a_inverse * (theta.colwise() - frame.mu), threads);
  const Vector log_q = q.log_density_at(z.leftCols(half));
  Vector log_ratio = Vector::Constant(half, -kInf);
  for (std::size_t i = 0; i < usable.size() && usable[i] < half; ++i) {
    log_ratio(usable[i]) = bank.log_density(before + static_cast<Index>(i)) - log_q(usable[i]);
  }
  return log_ratio;
}

void take(Fitted fitted, Bend& bend) {
  const std::vector<Index>& driving = fitted.q.frame().driving;
  for (const Marginal::Face& face : fitted.open) {
    bend.open.push_back(
        {driving[static_cast<std::size_t>(face.driver)], face.side, face.log_density});
  }
  bend.q = std::make_unique<Bent>(std::move(fitted.q));
}

}  // namespace

bool can_bend(const Approximation& gaussian) {
  return gaussian.linear() && gaussian.closed() && gaussian.dimension() > 1 &&
         gaussian.dimension() <= count(Limit::bend_coordinates);
}

Bend bend(const Model& model, const Approximation& gaussian, const Options& options,
          std::uint32_t which, const std::atomic<bool>* stop, const std::vector<Index>& given) {
  const Index p = gaussian.dimension(), least = count(Limit::bend_draws);
  const int threads = resolve_threads(options.threads);
  Bent::Frame frame = frame_of(gaussian);
  RandomStream stream(options.seed, Purpose::bending, which, 0);
  Bank bank;
  const Index first = std::max(least, count(Limit::bend_draws_per_coordinate) * p);
  bank.add(model, frame, mirrored(p, (first + 1) / 2, stream), threads);
  Bend result{.gradient_evaluations = (first + 1) / 2 * 2};
  if (static_cast<double>(bank.size()) <
      (1 - limit(Limit::failed_draws)) * static_cast<double>(first))
    return result;
  const Drivers drivers =
      given.empty() ? find_drivers(bank, frame.a) : drivers_along(given, frame.a);
  if (drivers.coordinates.empty() || drivers.left > limit(Limit::bend_left)) return result;
  bank.turn(turn(drivers, frame));

  const Index each = (std::max(least, 3 * (p + 1) / 2) + 3) / 4 * 4;
  double best = 0;
  Fitted fitted = fit_to(bank, frame, 1, threads);
  for (Index batch = 1, good = 0, no_better = 0;
       batch <= count(Limit::bend_batches) && !requested(stop); ++batch) {
    RandomStream of_batch(options.seed, Purpose::bending, which, static_cast<std::uint32_t>(batch));
    const Matrix z = next_batch(fitted, each, of_batch);
    const Vector log_ratio = try_batch(model, fitted.q, z, threads, bank);
    result.gradient_evaluations += each;
    result.perplexity = perplexity(normalize_log_weights(smooth(log_ratio).log_weights));
    const bool is_good = result.perplexity > limit(Limit::bend_perplexity);
    if (is_good) ++good;
    no_better = result.perplexity > best ? 0 : no_better + 1;
    best = std::max(best, result.perplexity);
    result.layers = std::min(batch + 1, kMostLayers);
    const bool closed = fitted.open.empty();
    fitted = fit_to(bank, frame, result.layers, threads);
    if (((is_good && good >= 2) || no_better >= 2) && closed) break;
  }
  take(std::move(fitted), result);
  result.bank = std::move(bank);
  return result;
}

BendPair bend_twice(const Model& model, const Approximation& gaussian, const Options& options,
                    const std::atomic<bool>* stop) {
  BendPair pair{.first = bend(model, gaussian, options, 0, stop), .second = {}};
  pair.gradient_evaluations = pair.first.gradient_evaluations;
  if (!pair.first.q) return pair;
  pair.second = bend(model, gaussian, options, 1, stop);
  pair.gradient_evaluations += pair.second.gradient_evaluations;
  if (!pair.second.q) return pair;
  const std::vector<Index>&of_first = pair.first.q->frame().driving,
        &of_second = pair.second.q->frame().driving;
  if (of_first == of_second) return pair;
  const bool first_is_worse = pair.first.perplexity < pair.second.perplexity;
  Bend& worse = first_is_worse ? pair.first : pair.second;
  const std::vector<Index> better = first_is_worse ? of_second : of_first;
  worse = bend(model, gaussian, options, first_is_worse ? 0 : 1, stop, better);
  pair.gradient_evaluations += worse.gradient_evaluations;
  return pair;
}

Bend joined(const Bend& a, const Bend& b, int threads) {
  const Bend &better = a.perplexity < b.perplexity ? b : a, &other = &better == &a ? b : a;
  const Bent::Frame &frame = better.q->frame(), &from = other.q->frame();
  Bend result{.perplexity = better.perplexity,
              .layers = std::max(a.layers, b.layers),
              .bank = better.bank,
              .gradient_evaluations = a.gradient_evaluations + b.gradient_evaluations};
  Bank turned = other.bank;
  turned.turn(from.a_inverse * frame.a);
  result.bank.append(turned);
  take(fit_to(result.bank, frame, result.layers, threads), result);
  return result;
}

double distance(const Transport& a, const Transport& b) {
  constexpr Index kPairs = 500;
  Matrix z(a.dimension(), 2 * kPairs), theta(a.dimension(), 2 * kPairs);
  RandomStream(0, Purpose::bending, stream_of::moments, 1).fill_normal(z.leftCols(kPairs));
  z.rightCols(kPairs) = -z.leftCols(kPairs);
  double affinity = 0;
  for (const auto& [from, to] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    from->forward(z, theta);
    const Vector log_ratio = to->log_density(theta) - from->log_density_at(z);
    affinity += (0.5 * log_ratio.array()).exp().mean() / 2;
  }
  return -8 * std::log(affinity);
}

}  // namespace ravi
