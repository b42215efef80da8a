// A posterior as the engine sees it: a log density with its gradient on all of R^P.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ravi/types.hpp"

namespace ravi {

// Implementations are called from several threads at once, so evaluate() and constrain() must not
// change the model. Both are handed whole batches: one column is one draw.
class Model {
 public:
  virtual ~Model() = default;

  virtual Index dimension() const = 0;  // P

  // For each column theta_s of the P x M matrix, writes log p(theta_s), up to one constant, and its
  // gradient. A draw at which the density cannot be computed is reported as a log density that is
  // not finite; the caller drops and counts it. Throwing is reserved for a broken model.
  virtual void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                        MatrixRef gradient) const = 0;

  // The log densities alone, for importance weights; a model that can do that for less than
  // evaluate() overrides it.
  virtual void log_density(const ConstMatrixRef& theta, VectorRef values) const;

  // Names of the P coordinates; theta[1], theta[2], ... unless overridden.
  virtual std::vector<std::string> unconstrained_names() const;

  // Why the density cannot be computed at theta, in the model's own words; empty when it can be, or
  // when the model has nothing to say.
  virtual std::string why_not_computable(const ConstVectorRef& /*theta*/) const { return {}; }

  // What a user wants to read, when that is not theta itself: Q quantities per draw, by name. Some
  // models draw quantities at random, predictions for example; then equal seeds give equal numbers.
  // A quantity that cannot be computed is not finite.
  virtual std::vector<std::string> parameter_names() const { return unconstrained_names(); }
  // How many of them, from the first, a fit is judged by; the others are functions of these that
  // may not have a variance.
  virtual Index judged_quantities() const { return static_cast<Index>(parameter_names().size()); }
  virtual void constrain(const ConstMatrixRef& theta, MatrixRef quantities,
                         std::uint32_t seed) const;

  // Names in the data that the model was made from which nothing in it reads.
  virtual std::vector<std::string> unread_data() const { return {}; }
};

// Which rows of the data a likelihood is asked for: all N of them, or those listed.
struct Rows {
  bool all = true;
  std::span<const Index> index = {};

  Index count(Index total) const { return all ? total : static_cast<Index>(index.size()); }
};

// A model whose log likelihood is a sum over N rows of data, which makes mini-batches possible.
// The engine scales the likelihood of |S| rows by N/|S| itself; a model never does.
class RowModel : public Model {
 public:
  virtual Index rows() const = 0;  // N

  // Both add to what log_density and gradient already hold.
  virtual void add_log_likelihood(const ConstMatrixRef& theta, Rows rows, VectorRef log_density,
                                  MatrixRef gradient) const = 0;
  virtual void add_log_prior(const ConstMatrixRef& theta, VectorRef log_density,
                             MatrixRef gradient) const = 0;

  // log p(theta) + N/|S| sum over S of log p(y_i | theta).
  void evaluate_rows(const ConstMatrixRef& theta, Rows rows, VectorRef log_density,
                     MatrixRef gradient) const;

  void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                MatrixRef gradient) const final {
    evaluate_rows(theta, Rows{}, log_density, gradient);
  }
};

namespace detail {

// Throw UsageError with what was given and what is needed.
void check_dimension(Index dimension);
[[noreturn]] void reject_gradient(Index size, Index dimension);

}  // namespace detail

// f(theta, gradient) returns log p(theta) and fills the gradient (already of size P). Where it
// cannot, it returns what is not finite or throws a std::domain_error that says why.
template <typename F>
concept LogDensityWithGradient = requires(const F f, const Vector& theta, Vector& gradient) {
  { f(theta, gradient) } -> std::convertible_to<double>;
};

// A model from one callable, evaluated draw by draw; f must be safe to call from several threads. A
// negative dimension is a UsageError, and so is a gradient that f leaves behind with another size.
template <LogDensityWithGradient F>
std::unique_ptr<Model> make_model(Index dimension, F f) {
  class CallableModel final : public Model {
   public:
    CallableModel(Index p, F function) : dimension_(p), f_(std::move(function)) {
      detail::check_dimension(p);
    }
    Index dimension() const override { return dimension_; }
    void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                  MatrixRef gradient) const override {
      Vector point(dimension_), slope(dimension_);
      for (Index s = 0; s < theta.cols(); ++s) {
        point = theta.col(s);
        try {
          log_density(s) = f_(point, slope);
        } catch (const std::domain_error&) {
          log_density(s) = std::numeric_limits<double>::quiet_NaN();
          slope.setZero(dimension_);
        }
        if (slope.size() != dimension_) detail::reject_gradient(slope.size(), dimension_);
        gradient.col(s) = slope;
      }
    }
    std::string why_not_computable(const ConstVectorRef& theta) const override {
      Vector slope(dimension_);
      try {
        f_(Vector(theta), slope);
      } catch (const std::domain_error& e) {
        return e.what();
      }
      return {};
    }

   private:
    Index dimension_;
    F f_;
  };
  return std::make_unique<CallableModel>(dimension, std::move(f));
}

}  // namespace ravi
