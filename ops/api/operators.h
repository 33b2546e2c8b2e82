// Arithmetic on tensors as C++ writes it: a + b, 2 * a, -a, a | b, a += b, a == b, 1 < a.
//
//   Tensor y = 2 * x + 1;          // mul, add: y has x's dtype for a float x, sizes of x
//   y += x;                        // add_: writes y, for all who hold it
//   Tensor positive = x > 0;       // gt: bool, one truth for each element
//
// Each is the operator of the name below; comparisons give bool tensors, element by element. Both
// sides of && and || are computed. Sizes broadcast, dtypes promote; a number is weak in promotion
// and leaves int32 and float16 as they are, but for a number of a higher category (int64 + 0.5 is
// float32). `a == b` is no bool: ask sy::equal or item. C++'s precedence holds: & and | bind less
// than ==, << less than +.
//
// By operator:
//
//   a + b    add        a & b    bitwise_and            a == b   eq
//   a - b    sub        a | b    bitwise_or             a != b   ne
//   a * b    mul        a ^ b    bitwise_xor            a < b    lt
//   a / b    div        a << b   bitwise_left_shift     a <= b   le
//   a % b    remainder  a >> b   bitwise_right_shift    a > b    gt
//   -a       neg        ~a       bitwise_not            a >= b   ge
//   a && b   logical_and         a || b   logical_or    !a       logical_not
// Owns: results are new tensors; `op=` returns its left side. Included by switchyard/ops.h.
// Threads, errors: as the operators': kInvalidArgument for sizes that do not broadcast, devices
// that differ, and results that `op=` cannot store (int += 0.5).
#ifndef SWITCHYARD_OPS_API_OPERATORS_H_
#define SWITCHYARD_OPS_API_OPERATORS_H_

#include "switchyard/core/tensor.h"

namespace sy {

// --- Sums, differences, products. bool: + is or, * is and, - is refused.
inline Tensor operator+(const Tensor& a, const Tensor& b) { return add(a, b); }
inline Tensor operator+(const Tensor& a, const Scalar& b) { return add(a, b); }
inline Tensor operator+(const Scalar& a, const Tensor& b) { return add(b, a); }
inline Tensor operator-(const Tensor& a, const Tensor& b) { return sub(a, b); }
inline Tensor operator-(const Tensor& a, const Scalar& b) { return sub(a, b); }
// The number as a 0-dim tensor that is weak in promotion, here and in a / b.
inline Tensor operator-(const Scalar& a, const Tensor& b) { return sub(NumberTensor(a), b); }
inline Tensor operator*(const Tensor& a, const Tensor& b) { return mul(a, b); }
inline Tensor operator*(const Tensor& a, const Scalar& b) { return mul(a, b); }
inline Tensor operator*(const Scalar& a, const Tensor& b) { return mul(b, a); }
// --- Quotients and remainders. / of integers is a float, as Python's; % has the sign of b, as
// Python's and not as C++'s (fmod). An integer % 0 is kInvalidValue, x / 0 is infinite or NaN.
inline Tensor operator/(const Tensor& a, const Tensor& b) { return div(a, b); }
inline Tensor operator/(const Tensor& a, const Scalar& b) { return div(a, b); }
inline Tensor operator/(const Scalar& a, const Tensor& b) { return div(NumberTensor(a), b); }
inline Tensor operator%(const Tensor& a, const Tensor& b) { return remainder(a, b); }
inline Tensor operator%(const Tensor& a, const Scalar& b) { return remainder(a, b); }
inline Tensor operator%(const Scalar& a, const Tensor& b) { return remainder(a, b); }
// --- Bits of integers, truths of bool; floats are kNotImplemented.
inline Tensor operator&(const Tensor& a, const Tensor& b) { return bitwise_and(a, b); }
inline Tensor operator&(const Tensor& a, const Scalar& b) { return bitwise_and(a, b); }
inline Tensor operator&(const Scalar& a, const Tensor& b) { return bitwise_and(a, b); }
inline Tensor operator|(const Tensor& a, const Tensor& b) { return bitwise_or(a, b); }
inline Tensor operator|(const Tensor& a, const Scalar& b) { return bitwise_or(a, b); }
inline Tensor operator|(const Scalar& a, const Tensor& b) { return bitwise_or(a, b); }
inline Tensor operator^(const Tensor& a, const Tensor& b) { return bitwise_xor(a, b); }
inline Tensor operator^(const Tensor& a, const Scalar& b) { return bitwise_xor(a, b); }
inline Tensor operator^(const Scalar& a, const Tensor& b) { return bitwise_xor(a, b); }
// --- Shifts of integers, not of bool; by too much or by a negative number gives 0, or -1 for a
// negative a >> b.
inline Tensor operator<<(const Tensor& a, const Tensor& b) { return bitwise_left_shift(a, b); }
inline Tensor operator<<(const Tensor& a, const Scalar& b) { return bitwise_left_shift(a, b); }
inline Tensor operator<<(const Scalar& a, const Tensor& b) { return bitwise_left_shift(a, b); }
inline Tensor operator>>(const Tensor& a, const Tensor& b) { return bitwise_right_shift(a, b); }
inline Tensor operator>>(const Tensor& a, const Scalar& b) { return bitwise_right_shift(a, b); }
inline Tensor operator>>(const Scalar& a, const Tensor& b) { return bitwise_right_shift(a, b); }
// --- Of one tensor. ~ is of integers and bool; ! is whether an element is 0.
inline Tensor operator-(const Tensor& a) { return neg(a); }
inline Tensor operator~(const Tensor& a) { return bitwise_not(a); }
inline Tensor operator!(const Tensor& a) { return logical_not(a); }
// --- Truths: what is not 0 is true, NaN too. Nothing is left out, unlike C++'s own.
inline Tensor operator&&(const Tensor& a, const Tensor& b) { return logical_and(a, b); }
inline Tensor operator||(const Tensor& a, const Tensor& b) { return logical_or(a, b); }

// --- In place: the left side is written and returned, and keeps its sizes and its dtype; the right
// one broadcasts to it. A const Tensor& is a handle, and what it names is not const. Errors:
// kInvalidArgument also where the left side would have to grow, or overlaps itself.
inline const Tensor& operator+=(const Tensor& a, const Tensor& b) { return add_(a, b); }
inline const Tensor& operator+=(const Tensor& a, const Scalar& b) { return add_(a, b); }
inline const Tensor& operator-=(const Tensor& a, const Tensor& b) { return sub_(a, b); }
inline const Tensor& operator-=(const Tensor& a, const Scalar& b) { return sub_(a, b); }
inline const Tensor& operator*=(const Tensor& a, const Tensor& b) { return mul_(a, b); }
inline const Tensor& operator*=(const Tensor& a, const Scalar& b) { return mul_(a, b); }
inline const Tensor& operator/=(const Tensor& a, const Tensor& b) { return div_(a, b); }
inline const Tensor& operator/=(const Tensor& a, const Scalar& b) { return div_(a, b); }
inline const Tensor& operator%=(const Tensor& a, const Tensor& b) { return remainder_(a, b); }
inline const Tensor& operator%=(const Tensor& a, const Scalar& b) { return remainder_(a, b); }
inline const Tensor& operator&=(const Tensor& a, const Tensor& b) { return bitwise_and_(a, b); }
inline const Tensor& operator&=(const Tensor& a, const Scalar& b) { return bitwise_and_(a, b); }
inline const Tensor& operator|=(const Tensor& a, const Tensor& b) { return bitwise_or_(a, b); }
inline const Tensor& operator|=(const Tensor& a, const Scalar& b) { return bitwise_or_(a, b); }
inline const Tensor& operator^=(const Tensor& a, const Tensor& b) { return bitwise_xor_(a, b); }
inline const Tensor& operator^=(const Tensor& a, const Scalar& b) { return bitwise_xor_(a, b); }
inline const Tensor& operator<<=(const Tensor& a, const Tensor& b) {
  return bitwise_left_shift_(a, b);
}
inline const Tensor& operator<<=(const Tensor& a, const Scalar& b) {
  return bitwise_left_shift_(a, b);
}
inline const Tensor& operator>>=(const Tensor& a, const Tensor& b) {
  return bitwise_right_shift_(a, b);
}
inline const Tensor& operator>>=(const Tensor& a, const Scalar& b) {
  return bitwise_right_shift_(a, b);
}

// --- Comparisons: bool tensors. NaN equals nothing, itself neither, and is neither less nor
// greater.
inline Tensor operator==(const Tensor& a, const Tensor& b) { return eq(a, b); }
inline Tensor operator==(const Tensor& a, const Scalar& b) { return eq(a, b); }
inline Tensor operator==(const Scalar& a, const Tensor& b) { return eq(b, a); }
inline Tensor operator!=(const Tensor& a, const Tensor& b) { return ne(a, b); }
inline Tensor operator!=(const Tensor& a, const Scalar& b) { return ne(a, b); }
inline Tensor operator!=(const Scalar& a, const Tensor& b) { return ne(b, a); }
// Complex numbers have no order: kInvalidArgument.
inline Tensor operator<(const Tensor& a, const Tensor& b) { return lt(a, b); }
inline Tensor operator<(const Tensor& a, const Scalar& b) { return lt(a, b); }
inline Tensor operator<(const Scalar& a, const Tensor& b) { return gt(b, a); }
inline Tensor operator<=(const Tensor& a, const Tensor& b) { return le(a, b); }
inline Tensor operator<=(const Tensor& a, const Scalar& b) { return le(a, b); }
inline Tensor operator<=(const Scalar& a, const Tensor& b) { return ge(b, a); }
inline Tensor operator>(const Tensor& a, const Tensor& b) { return gt(a, b); }
inline Tensor operator>(const Tensor& a, const Scalar& b) { return gt(a, b); }
inline Tensor operator>(const Scalar& a, const Tensor& b) { return lt(b, a); }
inline Tensor operator>=(const Tensor& a, const Tensor& b) { return ge(a, b); }
inline Tensor operator>=(const Tensor& a, const Scalar& b) { return ge(a, b); }
inline Tensor operator>=(const Scalar& a, const Tensor& b) { return le(b, a); }

}  // namespace sy

#endif  // SWITCHYARD_OPS_API_OPERATORS_H_
