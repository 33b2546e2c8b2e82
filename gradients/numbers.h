// Numbers in formulas: what a gradient is multiplied by.
//
//   Times(g, alpha)    // g · conj(alpha)
//
// Owns: nothing. Threads: any. Errors: the operators'.
#ifndef SWITCHYARD_GRADIENTS_NUMBERS_H_
#define SWITCHYARD_GRADIENTS_NUMBERS_H_

#include <complex>

#include "switchyard/core/scalar.h"
#include "switchyard/ops.h"

namespace sy {

inline Scalar Conj(const Scalar& x) {
  return x.is_complex() ? Scalar(std::conj(x.To<std::complex<double>>())) : x;
}
inline bool IsOne(const Scalar& x) { return x.To<std::complex<double>>() == 1.0; }
// By one, which numbers of calls mostly are, it is the gradient itself.
inline Tensor Times(const Tensor& g, const Scalar& x) { return IsOne(x) ? g : mul(g, Conj(x)); }

}  // namespace sy

#endif  // SWITCHYARD_GRADIENTS_NUMBERS_H_
