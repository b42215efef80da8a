// A neural network with one hidden layer for handwritten digits (Dhaka et al. 2020, supplement):
//   h = tanh(a + x A); logits (1, b + h B); y ~ categorical; a, b ~ N(0, 1);
//   A ~ N(0, s2_A), B ~ N(0, s2_B); s2 ~ inv-gamma(nu/2, nu v/2), v = (0.05 / fan_in^(1/nu))^2.
#include <algorithm>
#include <cmath>

#include "core/numeric.hpp"
#include "core/scratch.hpp"
#include "model/builtin/entries.hpp"
#include "model/names.hpp"
#include "model/row_blocks.hpp"

namespace ravi {
namespace {

constexpr Index kHidden = 10, kClasses = 10, kFree = kClasses - 1;
constexpr double kNu = 0.5;
constexpr Index kTogether = 16;    // draws, whose weights stay in the cache
constexpr double kFirstLogit = 1;  // fixed, because logits are only known up to a constant

struct NormalPrior {
  double log_density, d_u;
};

// w_i ~ N(0, exp(u)) i.i.d. with u = log s2, and s2 ~ inv-gamma(alpha, beta) of that fan-in: the
// Jacobian turns -(alpha + 1) u into -alpha u.
NormalPrior weight_prior(double squares, double count, double fan_in, double u) {
  const double alpha = kNu / 2;
  const double root_v = 0.05 / std::pow(fan_in, 1 / kNu);
  const double beta = kNu * root_v * root_v / 2;
  const double over_s2 = std::exp(-u);
  return {-0.5 * count * (kLog2Pi + u) - 0.5 * squares * over_s2 + alpha * std::log(beta) -
              std::lgamma(alpha) - alpha * u - beta * over_s2,
          -0.5 * count + 0.5 * squares * over_s2 - alpha + beta * over_s2};
}

// Coordinates: log s2_A, log s2_B, A (inputs x hidden, column by column), a, B (hidden x 9), b.
class MnistNetwork final : public RowModel {
 public:
  explicit MnistNetwork(const Data& data)
      : table_(data.is_table() ? from_table(data) : from_arrays(data)) {}

  Index dimension() const override { return b_begin() + kFree; }
  Index rows() const override { return table_.rows(); }

  std::vector<std::string> unconstrained_names() const override {
    std::vector<std::string> names = {"s2_A", "s2_B"};
    append_indexed(names, "A", inputs(), kHidden);
    append_indexed(names, "a", kHidden);
    append_indexed(names, "B", kHidden, kFree);
    append_indexed(names, "b", kFree);
    return names;
  }

  void constrain(const ConstMatrixRef& theta, MatrixRef quantities,
                 std::uint32_t /*seed*/) const override {
    quantities = theta;
    quantities.topRows(2) = theta.topRows(2).array().exp();
  }

  void add_log_likelihood(const ConstMatrixRef& theta, Rows rows, VectorRef log_density,
                          MatrixRef gradient) const override {
    for_each_row_block(table_, rows, [&](const ConstMatrixRef& block) {
      for (Index s = 0; s < theta.cols(); s += kTogether) {
        const Index n = std::min(kTogether, theta.cols() - s);
        add_block(block, theta.middleCols(s, n), log_density.segment(s, n),
                  gradient.middleCols(s, n));
      }
    });
  }

  void add_log_prior(const ConstMatrixRef& theta, VectorRef log_density,
                     MatrixRef gradient) const override {
    const Index size_a = inputs() * kHidden, size_b = kHidden * kFree;
    for (Index s = 0; s < theta.cols(); ++s) {
      const auto w = theta.col(s);
      auto d = gradient.col(s);
      const NormalPrior in =
          weight_prior(w.segment(2, size_a).squaredNorm(), static_cast<double>(size_a),
                       static_cast<double>(inputs()), w(0));
      const NormalPrior out =
          weight_prior(w.segment(w2_begin(), size_b).squaredNorm(), static_cast<double>(size_b),
                       static_cast<double>(kHidden), w(1));
      const double squares =
          w.segment(a_begin(), kHidden).squaredNorm() + w.segment(b_begin(), kFree).squaredNorm();
      log_density(s) +=
          in.log_density + out.log_density - 0.5 * squares - 0.5 * (kHidden + kFree) * kLog2Pi;
      d(0) += in.d_u;
      d(1) += out.d_u;
      d.segment(2, size_a) -= w.segment(2, size_a) * std::exp(-w(0));
      d.segment(w2_begin(), size_b) -= w.segment(w2_begin(), size_b) * std::exp(-w(1));
      d.segment(a_begin(), kHidden) -= w.segment(a_begin(), kHidden);
      d.segment(b_begin(), kFree) -= w.segment(b_begin(), kFree);
    }
  }

 private:
  Index inputs() const { return table_.width() - 1; }
  Index a_begin() const { return 2 + inputs() * kHidden; }
  Index w2_begin() const { return a_begin() + kHidden; }
  Index b_begin() const { return w2_begin() + kHidden * kFree; }

  // Log likelihood of a block of images under a few draws, and its gradient. Nearly all of the work
  // are products with the images, which are one product for all hidden units of the draws.
  void add_block(const ConstMatrixRef& block, const ConstMatrixRef& theta, VectorRef log_density,
                 MatrixRef gradient) const {
    struct Weights {};
    struct Hidden {};
    struct Slope {};
    const Index n = block.cols(), k = inputs(), draws = theta.cols();
    const auto x = block.topRows(k);
    auto w1 = scratch<Weights>(k, kHidden * draws);
    const auto of_draw = [](auto& matrix, Index s) {
      return matrix.middleCols(s * kHidden, kHidden);
    };
    for (Index s = 0; s < draws; ++s) {
      of_draw(w1, s).reshaped() = theta.col(s).segment(2, k * kHidden);
    }
    auto hidden = scratch<Hidden>(n, kHidden * draws);
    hidden.noalias() = x.transpose() * w1;
    auto slope = scratch<Slope>(n, kHidden * draws);
    for (Index s = 0; s < draws; ++s) {
      log_density(s) += add_outputs(block.row(k), theta.col(s), of_draw(hidden, s),
                                    of_draw(slope, s), gradient.col(s));
    }
    w1.noalias() = x * slope;
    for (Index s = 0; s < draws; ++s) {
      gradient.col(s).segment(2, k * kHidden) += of_draw(w1, s).reshaped();
    }
  }

  // What lies behind the hidden units of one draw, before their tanh; a row per image. Writes the
  // slope of the log likelihood in them, and adds the gradient of all other weights.
  double add_outputs(const Eigen::Ref<const Eigen::RowVectorXd, 0, Eigen::InnerStride<>>& labels,
                     const ConstVectorRef& w, MatrixRef h, MatrixRef slope, VectorRef d) const {
    struct Logits {};
    using Map = Eigen::Map<const Matrix>;
    const Index n = h.rows();
    const Map w2(w.data() + w2_begin(), kHidden, kFree);
    Eigen::Map<Matrix> d2(d.data() + w2_begin(), kHidden, kFree);
    h = (h.rowwise() + w.segment(a_begin(), kHidden).transpose()).array().tanh();
    auto logits = scratch<Logits>(kFree, n);
    logits.noalias() = w2.transpose() * h.transpose();
    logits.colwise() += w.segment(b_begin(), kFree);

    // log softmax of the observed class; logits become its slope, (indicator - probability).
    double sum = 0;
    for (Index i = 0; i < n; ++i) {
      auto column = logits.col(i).array();
      const auto label = static_cast<Index>(labels(i));
      const double largest = std::max(kFirstLogit, column.maxCoeff());
      const double observed = label == 0 ? kFirstLogit : column(label - 1);
      column = (column - largest).exp();
      const double total = std::exp(kFirstLogit - largest) + column.sum();
      sum += observed - largest - std::log(total);
      column /= -total;
      if (label > 0) column(label - 1) += 1;
    }

    slope.noalias() = logits.transpose() * w2.transpose();
    slope.array() *= 1 - h.array().square();
    d2.noalias() += h.transpose() * logits.transpose();
    d.segment(a_begin(), kHidden) += slope.colwise().sum().transpose();
    d.segment(b_begin(), kFree) += logits.rowwise().sum();
    return sum;
  }

  static RowTable from_table(const Data& data) {
    const auto columns = data.variables();
    const Index n = columns[0].dimensions[0];
    Matrix rows = with_labels(data.integers("label", n, 0, kClasses - 1),
                              static_cast<Index>(columns.size()) - 1, data);
    Index row = 0;
    for (const Variable& column : columns) {
      if (column.name == "label") continue;
      for (const double value : column.values) {
        if (value < 0 || value > 255) data.reject(column.name, "must lie between 0 and 255");
      }
      rows.row(row++) = data.vector(column.name, n).transpose() / 255;
    }
    return RowTable(std::move(rows));
  }

  static RowTable from_arrays(const Data& data) {
    const auto shape = data.dimensions("x");
    if (shape.size() != 2 || shape[0] < 1) data.reject("x", "must be one row of inputs per image");
    std::vector<Index> labels = data.integers("y", shape[0], 1, kClasses);
    for (Index& label : labels) --label;
    Matrix rows = with_labels(labels, shape[1], data);
    rows.topRows(shape[1]) = data.matrix("x", shape[0], shape[1]).transpose();
    return RowTable(std::move(rows));
  }

  static Matrix with_labels(const std::vector<Index>& labels, Index inputs, const Data& data) {
    if (inputs < 1) data.reject("x", "has no inputs, but at least one is needed");
    Matrix rows(inputs + 1, static_cast<Index>(labels.size()));
    for (std::size_t i = 0; i < labels.size(); ++i) {
      rows(inputs, static_cast<Index>(i)) = static_cast<double>(labels[i]);
    }
    return rows;
  }

  RowTable table_;  // the pixels of an image, then its class from 0
};

std::unique_ptr<Model> make(const Data& data) { return std::make_unique<MnistNetwork>(data); }

Data example() {
  Matrix x(5, 4);
  x << 0.0, 0.3, 1.0, 0.2, 0.9, 0.0, 0.4, 0.6, 0.1, 0.8, 0.0, 0.5, 0.7, 0.7, 0.2, 0.0, 1.0, 0.1,
      0.6, 0.3;
  Vector y(5);
  y << 1, 4, 10, 2, 4;
  Data data("example");
  return data.add("x", x).add("y", y);
}

}  // namespace

ModelEntry mnist_nn_entry() {
  return {"mnist-nn",
          "ten classes by a network with one hidden layer of ten tanh units",
          "x[N,D], y[N] of 1 to 10; CSV: label of 0 to 9, and D columns of pixels of 0 to 255",
          true,
          make,
          example};
}

}  // namespace ravi
