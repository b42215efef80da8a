// A model that tells when it is asked for densities: to show progress, or to give up.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ravi/model.hpp"

namespace ravi {

// Called in the thread that asks, before the densities of so many draws are computed; with 0 before
// quantities are. What it throws passes through.
using Watch = std::function<void(Index draws)>;

// Everything of a Model or a RowModel but its densities, passed on to another one.
template <typename Base>
class Forwarding : public Base {
 public:
  Forwarding(const Base& model, Watch watch) : model_(model), watch_(std::move(watch)) {}

  Index dimension() const override { return model_.dimension(); }
  std::vector<std::string> unconstrained_names() const override {
    return model_.unconstrained_names();
  }
  std::vector<std::string> parameter_names() const override { return model_.parameter_names(); }
  Index judged_quantities() const override { return model_.judged_quantities(); }
  std::vector<std::string> unread_data() const override { return model_.unread_data(); }
  std::string why_not_computable(const ConstVectorRef& theta) const override {
    return model_.why_not_computable(theta);
  }
  void log_density(const ConstMatrixRef& theta, VectorRef values) const override {
    watched(theta).log_density(theta, values);
  }
  void constrain(const ConstMatrixRef& theta, MatrixRef quantities,
                 std::uint32_t seed) const override {
    watch_(0);
    model_.constrain(theta, quantities, seed);
  }

 protected:
  const Base& watched(const ConstMatrixRef& theta) const {
    watch_(theta.cols());
    return model_;
  }

  const Base& model_;

 private:
  Watch watch_;
};

class WatchedModel final : public Forwarding<Model> {
 public:
  using Forwarding::Forwarding;
  void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                MatrixRef gradient) const override {
    watched(theta).evaluate(theta, log_density, gradient);
  }
};

class WatchedRowModel final : public Forwarding<RowModel> {
 public:
  using Forwarding::Forwarding;
  Index rows() const override { return model_.rows(); }
  void add_log_likelihood(const ConstMatrixRef& theta, Rows rows, VectorRef log_density,
                          MatrixRef gradient) const override {
    watched(theta).add_log_likelihood(theta, rows, log_density, gradient);
  }
  void add_log_prior(const ConstMatrixRef& theta, VectorRef log_density,
                     MatrixRef gradient) const override {
    model_.add_log_prior(theta, log_density, gradient);
  }
};

// The same model, watched. Refers to the model.
inline std::unique_ptr<Model> watched(const Model& model, Watch watch) {
  if (const auto* rows = dynamic_cast<const RowModel*>(&model)) {
    return std::make_unique<WatchedRowModel>(*rows, std::move(watch));
  }
  return std::make_unique<WatchedModel>(model, std::move(watch));
}

}  // namespace ravi
