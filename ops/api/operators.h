// Arithmetic on tensors as C++ writes it: a + b, 2 * a, -a, a += b, a == b.
//
// Each is the operator of the name below; comparisons give bool tensors, element by element.
// Included by switchyard/ops.h. Threads, errors: as the operators'.
#ifndef SWITCHYARD_OPS_API_OPERATORS_H_
#define SWITCHYARD_OPS_API_OPERATORS_H_

namespace sy {

inline Tensor operator+(const Tensor& a, const Tensor& b) { return add(a, b); }
inline Tensor operator+(const Tensor& a, const Scalar& b) { return add(a, b); }
inline Tensor operator+(const Scalar& a, const Tensor& b) { return add(b, a); }
inline Tensor operator-(const Tensor& a, const Tensor& b) { return sub(a, b); }
inline Tensor operator-(const Tensor& a, const Scalar& b) { return sub(a, b); }
inline Tensor operator-(const Scalar& a, const Tensor& b) { return sub(NumberTensor(a), b); }
inline Tensor operator*(const Tensor& a, const Tensor& b) { return mul(a, b); }
inline Tensor operator*(const Tensor& a, const Scalar& b) { return mul(a, b); }
inline Tensor operator*(const Scalar& a, const Tensor& b) { return mul(b, a); }
inline Tensor operator/(const Tensor& a, const Tensor& b) { return div(a, b); }
inline Tensor operator/(const Tensor& a, const Scalar& b) { return div(a, b); }
inline Tensor operator/(const Scalar& a, const Tensor& b) { return div(NumberTensor(a), b); }
inline Tensor operator-(const Tensor& a) { return neg(a); }
inline Tensor operator!(const Tensor& a) { return logical_not(a); }
inline Tensor operator&(const Tensor& a, const Tensor& b) { return bitwise_and(a, b); }
inline Tensor operator^(const Tensor& a, const Tensor& b) { return bitwise_xor(a, b); }

inline const Tensor& operator+=(const Tensor& a, const Tensor& b) { return add_(a, b); }
inline const Tensor& operator+=(const Tensor& a, const Scalar& b) { return add_(a, b); }
inline const Tensor& operator-=(const Tensor& a, const Tensor& b) { return sub_(a, b); }
inline const Tensor& operator-=(const Tensor& a, const Scalar& b) { return sub_(a, b); }
inline const Tensor& operator*=(const Tensor& a, const Tensor& b) { return mul_(a, b); }
inline const Tensor& operator*=(const Tensor& a, const Scalar& b) { return mul_(a, b); }
inline const Tensor& operator/=(const Tensor& a, const Tensor& b) { return div_(a, b); }
inline const Tensor& operator/=(const Tensor& a, const Scalar& b) { return div_(a, b); }

inline Tensor operator==(const Tensor& a, const Tensor& b) { return eq(a, b); }
inline Tensor operator==(const Tensor& a, const Scalar& b) { return eq(a, b); }
inline Tensor operator!=(const Tensor& a, const Tensor& b) { return ne(a, b); }
inline Tensor operator!=(const Tensor& a, const Scalar& b) { return ne(a, b); }
inline Tensor operator<(const Tensor& a, const Tensor& b) { return lt(a, b); }
inline Tensor operator<(const Tensor& a, const Scalar& b) { return lt(a, b); }
inline Tensor operator<=(const Tensor& a, const Tensor& b) { return le(a, b); }
inline Tensor operator<=(const Tensor& a, const Scalar& b) { return le(a, b); }
inline Tensor operator>(const Tensor& a, const Tensor& b) { return gt(a, b); }
inline Tensor operator>(const Tensor& a, const Scalar& b) { return gt(a, b); }
inline Tensor operator>=(const Tensor& a, const Tensor& b) { return ge(a, b); }
inline Tensor operator>=(const Tensor& a, const Scalar& b) { return ge(a, b); }

}  // namespace sy

#endif  // SWITCHYARD_OPS_API_OPERATORS_H_
