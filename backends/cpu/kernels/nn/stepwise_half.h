// A 16-bit float that rounds after every operation, as ATen's scalars of these dtypes do; and the
// roundings of numbers that templates want for it and for float and double alike.
//
//   using T = Stepwise<Half>;  T y = T(a) * T(b) + T(1);  Half h = Half(y);
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_NN_STEPWISE_HALF_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_NN_STEPWISE_HALF_H_

#include <cmath>
#include <cstdint>

namespace sy::cpu {

template <class E>
class Stepwise {
 public:
  Stepwise() = default;
  explicit Stepwise(E x) : v_(x) {}
  explicit Stepwise(float x) : v_(E(x)) {}
  explicit Stepwise(double x) : Stepwise(static_cast<float>(x)) {}
  explicit Stepwise(int x) : Stepwise(static_cast<float>(x)) {}
  explicit Stepwise(int64_t x) : Stepwise(static_cast<float>(x)) {}
  explicit operator E() const { return E(v_); }
  explicit operator int64_t() const { return static_cast<int64_t>(v_); }
  float value() const { return v_; }

  friend Stepwise operator+(Stepwise a, Stepwise b) { return Stepwise(a.v_ + b.v_); }
  friend Stepwise operator-(Stepwise a, Stepwise b) { return Stepwise(a.v_ - b.v_); }
  friend Stepwise operator*(Stepwise a, Stepwise b) { return Stepwise(a.v_ * b.v_); }
  friend Stepwise operator/(Stepwise a, Stepwise b) { return Stepwise(a.v_ / b.v_); }
  friend bool operator<(Stepwise a, Stepwise b) { return a.v_ < b.v_; }
  friend bool operator>(Stepwise a, Stepwise b) { return a.v_ > b.v_; }
  friend bool operator==(Stepwise a, Stepwise b) { return a.v_ == b.v_; }

 private:
  float v_;
};

template <class T>
T Floor(T x) {
  return std::floor(x);
}
template <class E>
Stepwise<E> Floor(Stepwise<E> x) {
  return Stepwise<E>(std::floor(x.value()));
}
// To the nearest integer, halves to the even one.
template <class T>
T Nearest(T x) {
  return std::nearbyint(x);
}
template <class E>
Stepwise<E> Nearest(Stepwise<E> x) {
  return Stepwise<E>(std::nearbyint(x.value()));
}
template <class T>
T Fmod(T x, T y) {
  return std::fmod(x, y);
}
template <class E>
Stepwise<E> Fmod(Stepwise<E> x, Stepwise<E> y) {
  return Stepwise<E>(std::fmod(x.value(), y.value()));
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_NN_STEPWISE_HALF_H_
