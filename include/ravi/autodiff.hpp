// A model from a log density written for any scalar type; Stan Math finds its gradient.
// Compiling it takes half a minute, so ravi.hpp leaves it out. In CMake, link ravi::autodiff.
#pragma once

#ifndef STAN_THREADS
#error "Chains run on several threads, for which Stan Math needs STAN_THREADS: link ravi::autodiff"
#endif
#if defined(EIGEN_CORE_H) && !defined(EIGEN_STAN_MATRIXBASE_PLUGIN)
#error "Eigen was included without Stan Math's additions to it: link ravi::autodiff"
#endif

#include <concepts>
#include <cstddef>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <stan/math.hpp>
#include <string>
#include <utility>
#include <vector>

#include "ravi/error.hpp"
#include "ravi/model.hpp"

namespace ravi {

using AutodiffVector = Eigen::Matrix<stan::math::var, Eigen::Dynamic, 1>;

// f(theta) returns log p(theta) as a var. A double would have lost its gradient on the way, so it
// is refused.
template <typename F>
concept AutodiffLogDensity = requires(const F f, const AutodiffVector& theta) {
  { f(theta) } -> std::same_as<stan::math::var>;
};

namespace detail {

// A piece of this thread's autodiff stack, given back at the end of the scope. What lay on the
// stack before stays as it was, and levels that f opened and left by throwing are closed.
class AutodiffScope {
 public:
  AutodiffScope() {
    // Not simply an owner per thread: Stan Math's own owners come and go with the threads of TBB.
    thread_local std::optional<stan::math::ChainableStack> owner;
    if (!stan::math::ChainableStack::instance_) owner.emplace();
    depth_ = depth();
    stan::math::start_nested();
  }
  ~AutodiffScope() {
    while (depth() > depth_) stan::math::recover_memory_nested();
  }
  AutodiffScope(const AutodiffScope&) = delete;
  AutodiffScope& operator=(const AutodiffScope&) = delete;

 private:
  static std::size_t depth() {
    return stan::math::ChainableStack::instance_->nested_var_stack_sizes_.size();
  }
  std::size_t depth_;
};

// Memory for theta that a thread keeps between calls. A call takes it away while it lasts, because
// TBB may start another one on the same thread while f waits for tasks of its own.
inline AutodiffVector& spare_theta() {
  thread_local AutodiffVector spare;
  return spare;
}

template <AutodiffLogDensity F>
class AutodiffModel final : public Model {
 public:
  AutodiffModel(Index dimension, F f, std::vector<std::string> names)
      : dimension_(dimension), f_(std::move(f)), names_(std::move(names)) {
    check_dimension(dimension);
    if (!names_.empty() && names_.size() != static_cast<std::size_t>(dimension)) {
      throw UsageError("the model has " + std::to_string(dimension) + " parameters, but " +
                       std::to_string(names_.size()) + " names are given");
    }
  }

  Index dimension() const override { return dimension_; }

  std::vector<std::string> unconstrained_names() const override {
    return names_.empty() ? Model::unconstrained_names() : names_;
  }

  void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                MatrixRef gradient) const override {
    AutodiffVector point = std::exchange(spare_theta(), {});
    point.resize(dimension_);
    for (Index s = 0; s < theta.cols(); ++s) {
      try {
        log_density(s) = differentiate(theta.col(s), point, gradient.col(s));
      } catch (const std::exception&) {
        log_density(s) = std::numeric_limits<double>::quiet_NaN();
        gradient.col(s).setConstant(log_density(s));
      }
    }
    spare_theta() = std::move(point);
  }

  std::string why_not_computable(const ConstVectorRef& theta) const override {
    AutodiffVector point(dimension_);
    Vector gradient(dimension_);
    try {
      differentiate(theta, point, gradient);
    } catch (const std::exception& error) {
      return error.what();
    }
    return {};
  }

 private:
  double differentiate(const ConstVectorRef& theta, AutodiffVector& point,
                       VectorRef gradient) const {
    const AutodiffScope scope;
    for (Index i = 0; i < dimension_; ++i) point(i) = theta(i);
    const stan::math::var log_density = f_(std::as_const(point));
    stan::math::grad(log_density.vi_);
    for (Index i = 0; i < dimension_; ++i) gradient(i) = point(i).adj();
    return log_density.val();
  }

  Index dimension_;
  F f_;
  std::vector<std::string> names_;
};

}  // namespace detail

// A model from a log density on R^P, up to a constant: autodiff_model(2, [](const auto& theta) {
// return stan::math::normal_lpdf(theta, 0, 1); }). theta is an Eigen column vector, of var in a
// fit; the same f also takes a vector of double if it is generic. f must be safe to call from
// several threads. A std::exception that leaves f fails the draw, not the fit. The coordinates are
// called theta[1], theta[2], ... unless names are given.
template <AutodiffLogDensity F>
std::unique_ptr<Model> autodiff_model(Index dimension, F f, std::vector<std::string> names = {}) {
  return std::make_unique<detail::AutodiffModel<F>>(dimension, std::move(f), std::move(names));
}

}  // namespace ravi
