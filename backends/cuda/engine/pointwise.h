// Runs formulas, copies and fills over operands of any sizes, strides and dtypes.
//
//   RunFormula(call, kFormula<f::Add>, out, {&self, &other});
//
// Inputs broadcast to out's sizes and convert to the call's dtype; results convert to out's dtype.
// out may be exactly an input. Numbers may be 0-dim tensors on the host.
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_POINTWISE_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_POINTWISE_H_

#include <initializer_list>

#include "backends/cuda/plan/types.h"
#include "switchyard/core/scalar.h"
#include "switchyard/op/kernel.h"
#include "switchyard/registry/formula.h"

namespace sy::cuda {

void RunFormula(Call call, const FormulaDef& formula, const Tensor& out,
                std::initializer_list<const Tensor*> inputs,
                std::initializer_list<Scalar> params = {});
// The last input, one number, is not rounded to a dtype of 16-bit floats. Source: ATen's
// BinaryOpsKernel.cpp, mul and div.
void RunKeepingNumber(Call call, const FormulaDef& formula, const Tensor& out,
                      std::initializer_list<const Tensor*> inputs);

// out = src, expanded and converted.
void CopyElements(Call call, const Tensor& out, const Tensor& src);
void FillElements(Call call, const Tensor& out, const Scalar& value);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_POINTWISE_H_
