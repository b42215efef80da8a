// A map of standard normals to distributions over R^P.
#pragma once

#include <string_view>

#include "ravi/fit.hpp"
#include "ravi/model.hpp"

namespace ravi {

// theta = T(z) with z ~ N(0, I), T invertible. Scores and moves work in z, the coordinates of q, in
// which the posterior would be standard normal if q were right, and ask a q for nothing but what
// stands here.
class Transport {
 public:
  virtual ~Transport() = default;

  virtual std::string_view family() const = 0;
  virtual Index dimension() const = 0;  // P

  // T and its inverse, and log |det dT / dz|, for every column.
  virtual void forward(const ConstMatrixRef& z, MatrixRef theta) const = 0;
  virtual void inverse(const ConstMatrixRef& theta, MatrixRef z) const = 0;
  virtual Vector log_det(const ConstMatrixRef& z) const = 0;
  // From the gradients of a log density of theta to those of the density that z then has:
  // (dT / dz)' g + d log |det dT / dz| / dz.
  virtual void pull_back(const ConstMatrixRef& z, MatrixRef gradient) const = 0;
  // log q(theta) of the draws theta = T(z).
  Vector log_density_at(const ConstMatrixRef& z) const;
  Vector log_density(const ConstMatrixRef& theta) const;
  // Whether T is linear: coordinates are normal then, with the mean and the sd below.
  virtual bool linear() const { return false; }

  virtual Vector mean() const = 0;
  virtual Vector sd() const = 0;
  virtual Matrix cov() const = 0;
  // The moments in the form the outputs show them.
  virtual Gaussian moments() const = 0;
};

}  // namespace ravi
