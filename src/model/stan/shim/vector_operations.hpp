// Sums, differences and products of vectors, differentiated vector by vector.
//
// Stan Math 2.21 differentiates these element by element: three nodes on the stack, each with a
// virtual call, for every element of beta * x where x are data. Here an operation is one node, and
// its results, to which nothing is done on the way back, are plain numbers beside it. The overloads
// are more specialized than Stan's, which a translated program would call otherwise; values are the
// same, and so are derivatives but for the order of sums.
#pragma once

#include <stan/math.hpp>

namespace ravi_shim {

using stan::math::vari;
using Varis = vari* const*;

template <typename T>
T* in_arena(std::size_t count) {
  return stan::math::ChainableStack::instance_->memalloc_.template alloc_array<T>(count);
}

// Operands: the value of element i, and where its share of the derivative goes. What belongs to a
// single number is added up, and handed over at the end.
struct DataVector {
  const double* x;
  double value(std::size_t i) const { return x[i]; }
  void add(std::size_t, double) {}
  void finish() {}
};
struct DataNumber {
  double x;
  double value(std::size_t) const { return x; }
  void add(std::size_t, double) {}
  void finish() {}
};
struct Vector {
  Varis x;
  double value(std::size_t i) const { return x[i]->val_; }
  void add(std::size_t i, double share) { x[i]->adj_ += share; }
  void finish() {}
};
struct Number {
  vari* x;
  double sum;
  double value(std::size_t) const { return x->val_; }
  void add(std::size_t, double share) { sum += share; }
  void finish() { x->adj_ += sum; }
};

// As they are while the expression lives.
inline Number seen(const stan::math::var& x) { return {x.vi_, 0}; }
inline DataNumber seen(double x) { return {x}; }
template <int R, int C>
Vector seen(const Eigen::Matrix<stan::math::var, R, C>& x) {
  static_assert(sizeof(stan::math::var) == sizeof(vari*), "a var is a pointer");
  return {reinterpret_cast<Varis>(x.data())};
}
template <int R, int C>
DataVector seen(const Eigen::Matrix<double, R, C>& x) {
  return {x.data()};
}

// As they are until derivatives are taken.
inline Number kept(Number x, std::size_t) { return x; }
inline DataNumber kept(DataNumber x, std::size_t) { return x; }
inline Vector kept(Vector x, std::size_t n) {
  vari** copy = in_arena<vari*>(n);
  std::copy(x.x, x.x + n, copy);
  return {copy};
}
inline DataVector kept(DataVector x, std::size_t n) {
  double* copy = in_arena<double>(n);
  std::copy(x.x, x.x + n, copy);
  return {copy};
}

struct Plus {
  static double value(double a, double b) { return a + b; }
  static double by_first(double, double) { return 1; }
  static double by_second(double, double) { return 1; }
};
struct Minus {
  static double value(double a, double b) { return a - b; }
  static double by_first(double, double) { return 1; }
  static double by_second(double, double) { return -1; }
};
struct Times {
  static double value(double a, double b) { return a * b; }
  static double by_first(double, double b) { return b; }
  static double by_second(double a, double) { return a; }
};
// Sums and differences are linear: their operands' values are not needed again.
template <typename Operation>
constexpr bool kLinear = !std::is_same<Operation, Times>::value;

template <typename Operation, typename A, typename B>
class Node : public vari {
 public:
  Node(A a, B b, vari* results, std::size_t size)
      : vari(0), a_(a), b_(b), results_(results), size_(size) {}

  void chain() override {
    A a = a_;
    B b = b_;
    for (std::size_t i = 0; i < size_; ++i) {
      const double by_result = results_[i].adj_;
      const double x = kLinear<Operation> ? 0 : a.value(i), y = kLinear<Operation> ? 0 : b.value(i);
      a.add(i, by_result * Operation::by_first(x, y));
      b.add(i, by_result * Operation::by_second(x, y));
    }
    a.finish();
    b.finish();
  }

 private:
  A a_;
  B b_;
  vari* results_;
  std::size_t size_;
};

// The result has the shape of the operand named last.
template <typename Operation, int R, int C, typename T, typename A, typename B>
Eigen::Matrix<stan::math::var, R, C> apply(A a, B b, const Eigen::Matrix<T, R, C>& shape) {
  const auto size = static_cast<std::size_t>(shape.size());
  Eigen::Matrix<stan::math::var, R, C> result(shape.rows(), shape.cols());
  if (size == 0) return result;
  vari* results = in_arena<vari>(size);
  for (std::size_t i = 0; i < size; ++i) {
    result.data()[i].vi_ = ::new (static_cast<void*>(results + i))
        vari(Operation::value(a.value(i), b.value(i)), false);
  }
  const auto first = kept(a, size);
  const auto second = kept(b, size);
  new Node<Operation, decltype(kept(a, size)), decltype(kept(b, size))>(first, second, results,
                                                                        size);
  return result;
}

}  // namespace ravi_shim

namespace stan {
namespace math {

// Two vectors, of which one at least is differentiated.
#define RAVI_ELEMENTWISE(name, Operation, T1, T2)                                             \
  template <int R, int C>                                                                     \
  inline Eigen::Matrix<var, R, C> name(const Eigen::Matrix<T1, R, C>& a,                      \
                                       const Eigen::Matrix<T2, R, C>& b) {                    \
    check_matching_dims(#name, "m1", a, "m2", b);                                             \
    return ravi_shim::apply<ravi_shim::Operation>(ravi_shim::seen(a), ravi_shim::seen(b), a); \
  }
// A vector and a number.
#define RAVI_WITH_NUMBER(name, Operation, T1, T2)                                             \
  template <int R, int C>                                                                     \
  inline Eigen::Matrix<var, R, C> name(const Eigen::Matrix<T1, R, C>& a, const T2& b) {       \
    return ravi_shim::apply<ravi_shim::Operation>(ravi_shim::seen(a), ravi_shim::seen(b), a); \
  }                                                                                           \
  template <int R, int C>                                                                     \
  inline Eigen::Matrix<var, R, C> name(const T2& a, const Eigen::Matrix<T1, R, C>& b) {       \
    return ravi_shim::apply<ravi_shim::Operation>(ravi_shim::seen(a), ravi_shim::seen(b), b); \
  }
#define RAVI_ALL_TYPES(define, name, Operation)                          \
  define(name, Operation, var, var) define(name, Operation, var, double) \
      define(name, Operation, double, var)

RAVI_ALL_TYPES(RAVI_ELEMENTWISE, add, Plus)
RAVI_ALL_TYPES(RAVI_ELEMENTWISE, subtract, Minus)
RAVI_ALL_TYPES(RAVI_ELEMENTWISE, elt_multiply, Times)
RAVI_ALL_TYPES(RAVI_WITH_NUMBER, add, Plus)
RAVI_ALL_TYPES(RAVI_WITH_NUMBER, subtract, Minus)
RAVI_ALL_TYPES(RAVI_WITH_NUMBER, multiply, Times)

#undef RAVI_ALL_TYPES
#undef RAVI_WITH_NUMBER
#undef RAVI_ELEMENTWISE

}  // namespace math
}  // namespace stan
