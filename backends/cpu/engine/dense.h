// Operands as kernels of plain loops want them: row-major without gaps, of one dtype.
//
//   const Tensor x = Dense(self, out.dtype());
//   IntoDense(out, out.dtype(), [&](const Tensor& y) { … writes y … });
//
// Owns: the copies. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_DENSE_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_DENSE_H_

#include "switchyard/backends/common/views.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/core/tensor.h"

namespace sy::cpu {

template <class T>
inline constexpr bool kIsHalf = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

// The dtype that 16-bit floats are computed in; others are computed in their own.
constexpr DType WideOf(DType d) { return Contains(kHalfTypes, d) ? DType::kFloat32 : d; }

// t itself where it is so already. Undefined stays undefined.
inline Tensor Dense(const Tensor& t, DType dtype) {
  if (!t.defined() || (t.dtype() == dtype && t.is_contiguous())) return t;
  const Tensor copy = Tensor::Empty(t.sizes(), dtype);
  if (t.numel() != 0) CopyElements(copy, t);
  return copy;
}

inline Tensor Contiguous(const Tensor& t) { return Dense(t, t.dtype()); }

// Calls f with out, or with another tensor that is copied to it.
template <class F>
void IntoDense(const Tensor& out, DType dtype, F&& f) {
  if (out.dtype() == dtype && out.is_contiguous()) return f(out);
  const Tensor beside = Tensor::Empty(out.sizes(), dtype);
  f(beside);
  if (out.numel() != 0) CopyElements(out, beside);
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_DENSE_H_
