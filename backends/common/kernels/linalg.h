// What is done to a product of matrices before it is stored, on every backend.
//
//   Activate<Engine>(call, out, use_gelu);
//   StoreScaled<Engine>(call, out, product, {scale_a, scale_b, bias, scale_result});
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_LINALG_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_LINALG_H_

#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/ops/formulas/activation.h"
#include "switchyard/ops/formulas/arithmetic.h"

namespace sy {

// out = gelu(out), or relu(out).
template <class E>
void Activate(const Call& call, const Tensor& out, bool use_gelu) {
  if (use_gelu) return Compute<E, f::Gelu>(call, out, out);
  Compute<E, f::Relu>(call, out, out);
}

// What multiplies a product of 8-bit floats and is added to it; bias and result may be undefined.
struct ScaledWith {
  const Tensor &a, &b, &bias, &result;
};

// out = (product a b + bias) / result, in float32; product is overwritten, and may be out.
template <class E>
void StoreScaled(const Call& call, const Tensor& out, const Tensor& product, const ScaledWith& by) {
  const Call wide{call.kernel, WithDType(call.key, DType::kFloat32)};
  // One number may have any dimensions.
  const auto scale = [](const Tensor& t) {
    return t.numel() == 1 ? t.AsStrided(IntSpan(), IntSpan(), t.storage_offset()) : t;
  };
  const bool divides = by.result.defined() && Contains(kFloat8Types, out.dtype());
  const Tensor a = scale(by.a), b = scale(by.b), &scaled = divides ? product : out;
  Compute<E, f::Mul>(wide, product, product, a);
  if (by.bias.defined()) {
    ComputeWith<E, f::AddProduct>(wide, scaled, {&by.bias, &product, &b}, {Scalar(1)});
  } else {
    Compute<E, f::Mul>(wide, scaled, product, b);
  }
  if (divides) Compute<E, f::Div>(wide, out, product, scale(by.result));
}

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_LINALG_H_
