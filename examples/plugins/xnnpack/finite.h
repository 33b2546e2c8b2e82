// Whether there is a NaN or an infinity in memory. XNNPACK cuts every result off at an upper and a
// lower bound with instructions that answer the bound for a NaN: what would be NaN becomes -inf. So
// kernels look at what they are given, and leave to the host what may give a NaN.
//
// Owns: nothing. Threads: any. Errors: none.
#ifndef XNNPACK_FINITE_H_
#define XNNPACK_FINITE_H_

#include "switchyard/c/plugin.hpp"

namespace xnnpack {

bool HasNan(const float* x, int64_t n);
bool AllFinite(const float* x, int64_t n);
// Declines what is not finite. x: dense, in any order of dimensions.
inline void RequireFinite(const float* x, int64_t n) {
  if (!AllFinite(x, n)) throw sy::abi::Declined("XNNPACK gives no NaN, and an input is not finite");
}
inline void RequireNoNan(const float* x, int64_t n) {
  if (HasNan(x, n)) throw sy::abi::Declined("XNNPACK gives no NaN, and an input is one");
}

}  // namespace xnnpack

#endif  // XNNPACK_FINITE_H_
