// Copies elements between tensors of any strides and dtypes, and fills tensors.
//
//   CopyElements(out, src);          // src's sizes expand to out's
//   FillElements(out, Scalar(1.5));
//
// Conversions are C++'s, out of range as x86-64 gives them (simd/convert.h), which is ATen's.
// Owns: nothing.
// Threads: any; large tensors are split over ParallelFor's.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_COPY_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_COPY_H_

#include "switchyard/backends/common/index_space.h"
#include "switchyard/core/scalar.h"
#include "switchyard/core/tensor.h"

namespace sy::cpu {

// src is out itself or shares no memory with it.
void CopyElements(const Tensor& out, const Tensor& src);
// Operand 0 becomes operand 1. `it` is coalesced on the way.
void CopyElements(IndexSpace& it);

// Every element of out, which may overlap itself.
void FillElements(const Tensor& out, const Scalar& value);

// Whether an element of `t`, converted to the integer type `dtype`, is 0.
bool HasZero(const Tensor& t, DType dtype);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_COPY_H_
