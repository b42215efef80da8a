// A Python function f(theta) -> (log_density, gradient) as a model.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "ravi/model.hpp"

namespace ravi::python {

// Takes the interpreter's lock for every batch. A draw at which f returns what is not finite, or
// raises an ArithmeticError or a LinAlgError, could not be computed; any other exception of f
// leaves evaluate() as a pybind11::error_already_set, which holds the Python one. A result of the
// wrong shape is a UsageError.
class CallableModel final : public Model {
 public:
  // batched: f takes an M x P matrix of draws and returns M log densities and M x P gradients.
  // To be made and destroyed with the lock held.
  CallableModel(pybind11::object f, Index dimension, std::vector<std::string> names, bool batched);

  Index dimension() const override { return dimension_; }
  void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                MatrixRef gradient) const override;
  std::vector<std::string> unconstrained_names() const override;
  std::string why_not_computable(const ConstVectorRef& theta) const override;

 private:
  bool call(const ConstMatrixRef& theta, VectorRef log_density, MatrixRef gradient,
            std::string* why) const;
  void unpack(const pybind11::object& result, VectorRef log_density, MatrixRef gradient) const;

  pybind11::object f_, linalg_error_;
  Index dimension_;
  std::vector<std::string> names_;
  bool batched_;
};

}  // namespace ravi::python
