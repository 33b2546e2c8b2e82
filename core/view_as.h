// A tensor's memory seen as elements of another dtype, and the parts of complex numbers.
//
//   Tensor im = PartOf(z, 1);   // of complex64 z: float32, z's sizes, strides twice z's
//
// Owns: nothing but the views, which keep the storage.
// Threads: any.
// Errors: kOutOfMemory.
#ifndef SWITCHYARD_CORE_VIEW_AS_H_
#define SWITCHYARD_CORE_VIEW_AS_H_

#include "switchyard/core/tensor.h"

namespace sy {

// base's storage as elements of dtype. sizes, strides, offset: of these elements, from the start of
// the storage, inside of it; nothing is checked. ATen has it as view.dtype.
SY_API Tensor ViewAs(const Tensor& base, DType dtype, IntSpan sizes, IntSpan strides,
                     int64_t offset);
// The real (0) or the imaginary (1) parts of a complex tensor as they are in memory, of
// RealType(dtype). ATen: real, imag.
SY_API Tensor PartOf(const Tensor& complex, int part);
// A view of the same memory, with these of kConjBit and kNegBit in its key in place of t's.
SY_API Tensor ViewWithBits(const Tensor& t, KeyWord bits);

}  // namespace sy

#endif  // SWITCHYARD_CORE_VIEW_AS_H_
