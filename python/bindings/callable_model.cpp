// A Python function as a model: arrays out, numbers in, exceptions sorted.
#include "bindings/callable_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "ravi/error.hpp"

namespace ravi::python {
namespace {

namespace py = pybind11;
using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

// Booleans, whole numbers, floats, and objects that are numbers. NumPy would turn others into
// floats too: complex numbers without their imaginary part, texts, and None.
bool is_real(const py::array& array) {
  const char kind = array.dtype().kind();
  if (kind != 'O') return std::string_view("biuf").find(kind) != std::string_view::npos;
  for (const py::handle item : array.attr("flat")) {
    if (PyNumber_Check(item.ptr()) == 0) return false;
  }
  return true;
}

std::string shape_of(const py::handle& value) {
  const auto array = py::array::ensure(value);
  if (!array) return fmt::format("a {}", Py_TYPE(value.ptr())->tp_name);
  const std::string shape = py::str(py::tuple(array.attr("shape"))).cast<std::string>();
  return is_real(array) ? fmt::format("of shape {}", shape)
                        : fmt::format("of shape {} and type {}", shape,
                                      py::str(array.dtype().attr("name")).cast<std::string>());
}

[[noreturn]] void refuse(const char* what, const py::handle& value, const std::string& needed) {
  throw UsageError(
      fmt::format("the function must return (log_density, gradient), but its {} is "
                  "{} where {} is needed",
                  what, shape_of(value), needed));
}

// The numbers of an array with the given shape; one number may come without any dimension.
Array numbers(const py::handle& value, const std::vector<py::ssize_t>& shape, const char* what) {
  const py::array given = py::array::ensure(value);
  Array array = given && is_real(given) ? Array::ensure(given) : Array();
  const bool fits =
      given && is_real(given) && array &&
      (std::equal(shape.begin(), shape.end(), array.shape(), array.shape() + array.ndim()) ||
       (array.size() == 1 && array.ndim() == 0 &&
        std::ranges::all_of(shape, [](py::ssize_t n) { return n == 1; })));
  if (fits) return array;
  std::string needed = "(";
  for (const py::ssize_t n : shape) needed += fmt::format("{},", n);
  if (shape.size() > 1) needed.pop_back();
  refuse(what, value, shape.empty() ? "one number" : "shape " + needed + ")");
}

// "ZeroDivisionError: division by zero", without the traceback.
std::string in_one_line(const py::error_already_set& error) {
  std::string text = fmt::format("{}: {}", error.type().attr("__name__").cast<std::string>(),
                                 py::str(error.value()).cast<std::string>());
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

CallableModel::CallableModel(py::object f, Index dimension, std::vector<std::string> names,
                             bool batched)
    : f_(std::move(f)),
      linalg_error_(py::module_::import("numpy.linalg").attr("LinAlgError")),
      dimension_(dimension),
      names_(std::move(names)),
      batched_(batched) {}

std::vector<std::string> CallableModel::unconstrained_names() const {
  return names_.empty() ? Model::unconstrained_names() : names_;
}

void CallableModel::evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                             MatrixRef gradient) const {
  const py::gil_scoped_acquire lock;
  if (batched_ && call(theta, log_density, gradient, nullptr)) return;
  // One by one, also where a batch failed: that need not be the fault of all its draws.
  for (Index s = 0; s < theta.cols(); ++s) {
    if (call(theta.col(s), log_density.segment(s, 1), gradient.col(s), nullptr)) continue;
    log_density(s) = std::numeric_limits<double>::quiet_NaN();
    gradient.col(s).setZero();
  }
}

std::string CallableModel::why_not_computable(const ConstVectorRef& theta) const {
  const py::gil_scoped_acquire lock;
  Vector log_density(1), gradient(dimension_);
  std::string why;
  if (!call(theta, log_density, gradient, &why)) return why;
  if (!std::isfinite(log_density(0))) return fmt::format("the log density is {}", log_density(0));
  return gradient.allFinite() ? "" : "the gradient is not finite";
}

// False, and why, when the draws could not be computed. f gets a copy of the draws, which it may
// keep and change: copying P numbers takes a fraction of what the call does.
bool CallableModel::call(const ConstMatrixRef& theta, VectorRef log_density, MatrixRef gradient,
                         std::string* why) const {
  std::vector<py::ssize_t> shape = {theta.cols(), theta.rows()};
  if (!batched_) shape.erase(shape.begin());
  py::array_t<double> draws(shape);
  Eigen::Map<Matrix>(draws.mutable_data(), theta.rows(), theta.cols()) = theta;
  const auto result = py::reinterpret_steal<py::object>(PyObject_CallOneArg(f_.ptr(), draws.ptr()));
  if (!result) {
    py::error_already_set error;
    if (!error.matches(PyExc_ArithmeticError) && !error.matches(linalg_error_)) throw error;
    if (why) *why = in_one_line(error);
    return false;
  }
  unpack(result, log_density, gradient);
  return true;
}

void CallableModel::unpack(const py::object& result, VectorRef log_density,
                           MatrixRef gradient) const {
  if (!py::isinstance<py::sequence>(result) || py::len(result) != 2) {
    throw UsageError(
        fmt::format("the function must return (log_density, gradient), but it "
                    "returned a {}",
                    Py_TYPE(result.ptr())->tp_name));
  }
  const py::sequence pair(result);
  const py::object value = pair[0], slope = pair[1];
  if (!batched_) {
    log_density(0) = PyFloat_Check(value.ptr()) ? PyFloat_AS_DOUBLE(value.ptr())
                                                : *numbers(value, {}, "log density").data();
    const Array g = numbers(slope, {dimension_}, "gradient");
    gradient = Eigen::Map<const Vector>(g.data(), dimension_);
    return;
  }
  const Index draws = log_density.size();
  const Array l = numbers(value, {draws}, "log density");
  const Array g = numbers(slope, {draws, dimension_}, "gradient");
  log_density = Eigen::Map<const Vector>(l.data(), draws);
  gradient = Eigen::Map<const Matrix>(g.data(), dimension_, draws);
}

}  // namespace ravi::python
