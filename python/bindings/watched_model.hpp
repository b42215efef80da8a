// A model that can be told to give up: how a fit ends when its caller does not want it any more.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "ravi/model.hpp"

namespace ravi::python {

// Leaves a fit that nobody waits for.
struct Abandoned : std::exception {};

// Everything of a Model or a RowModel but its densities, passed on to another one.
template <typename Base>
class Forwarding : public Base {
 public:
  Forwarding(const Base& model, const std::atomic<bool>& abandoned)
      : model_(model), abandoned_(abandoned) {}

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
    watched().log_density(theta, values);
  }
  void constrain(const ConstMatrixRef& theta, MatrixRef quantities,
                 std::uint32_t seed) const override {
    watched().constrain(theta, quantities, seed);
  }

 protected:
  const Base& watched() const {
    if (abandoned_.load(std::memory_order_relaxed)) throw Abandoned();
    return model_;
  }

 private:
  const Base& model_;
  const std::atomic<bool>& abandoned_;
};

class WatchedModel final : public Forwarding<Model> {
 public:
  using Forwarding::Forwarding;
  void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                MatrixRef gradient) const override {
    watched().evaluate(theta, log_density, gradient);
  }
};

class WatchedRowModel final : public Forwarding<RowModel> {
 public:
  using Forwarding::Forwarding;
  Index rows() const override { return watched().rows(); }
  void add_log_likelihood(const ConstMatrixRef& theta, Rows rows, VectorRef log_density,
                          MatrixRef gradient) const override {
    watched().add_log_likelihood(theta, rows, log_density, gradient);
  }
  void add_log_prior(const ConstMatrixRef& theta, VectorRef log_density,
                     MatrixRef gradient) const override {
    watched().add_log_prior(theta, log_density, gradient);
  }
};

// The same model; its densities throw Abandoned once the flag is up. Refers to both.
inline std::unique_ptr<Model> watched(const Model& model, const std::atomic<bool>& abandoned) {
  if (const auto* rows = dynamic_cast<const RowModel*>(&model)) {
    return std::make_unique<WatchedRowModel>(*rows, abandoned);
  }
  return std::make_unique<WatchedModel>(model, abandoned);
}

}  // namespace ravi::python
