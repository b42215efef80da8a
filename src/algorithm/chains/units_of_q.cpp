// Moves of lambda in units of q itself.
#include "algorithm/chains/units_of_q.hpp"

#include <cmath>

#include "core/scratch.hpp"
#include "family/mean_field.hpp"

namespace ravi {
namespace {

bool independent(const Approximation& q) { return dynamic_cast<const MeanField*>(&q) != nullptr; }

// L follows the mean in lambda, column by column from the diagonal down: f(column, where it is).
template <typename F>
void for_each_column(Index p, F f) {
  for (Index j = 0, packed = p; j < p; packed += p - j, ++j) f(j, packed);
}

}  // namespace

Vector UnitsOfQ::stretch(const Approximation& q) const {
  return (reach_ / q.sd().array()).max(1.0);
}

// By the chain rule, with G = d / d L below the diagonal of L: L' F g_mu for the mean, (L' G)_ij
// for u_ij; and u_jj moves all of column j, which adds (L' G)_jj to the gradient in log L_jj.
void UnitsOfQ::to_whitened(const Approximation& q, VectorRef gradient) const {
  const Index p = q.dimension();
  gradient.head(p).array() *= stretch(q).array();
  if (independent(q)) {
    gradient.head(p).array() *= q.sd().array();
    return;
  }
  struct InL;
  struct InU;
  auto in_l = scratch<InL>(p, p), in_u = scratch<InU>(p, p);
  in_l.setZero();
  for_each_column(p, [&](Index j, Index packed) {
    in_l.col(j).tail(p - j - 1) = gradient.segment(packed + 1, p - j - 1);
  });
  const Matrix l = q.scale();
  const auto transposed = l.transpose().triangularView<Eigen::Upper>();
  in_u.noalias() = transposed * in_l;
  gradient.head(p) = (transposed * gradient.head(p)).eval();
  for_each_column(p, [&](Index j, Index packed) {
    gradient(packed) += in_u(j, j);
    gradient.segment(packed + 1, p - j - 1) = in_u.col(j).tail(p - j - 1);
  });
}

void UnitsOfQ::move(const Approximation& q, const ConstVectorRef& u, VectorRef lambda) const {
  const Index p = q.dimension();
  if (independent(q)) {
    lambda.head(p).array() += stretch(q).array() * q.sd().array() * u.head(p).array();
    lambda.tail(p) += u.tail(p);
    return;
  }
  struct Factor;
  struct Moved;
  auto m = scratch<Factor>(p, p), moved = scratch<Moved>(p, p);
  m.setZero();
  for_each_column(p, [&](Index j, Index packed) {
    m(j, j) = std::exp(u(packed));
    m.col(j).tail(p - j - 1) = u.segment(packed + 1, p - j - 1);
  });
  const Matrix l = q.scale();
  const auto lower = l.triangularView<Eigen::Lower>();
  moved.noalias() = lower * m;
  lambda.head(p).array() += stretch(q).array() * (lower * u.head(p)).eval().array();
  for_each_column(p, [&](Index j, Index packed) {
    lambda(packed) += u(packed);
    lambda.segment(packed + 1, p - j - 1) = moved.col(j).tail(p - j - 1);
  });
}

}  // namespace ravi
