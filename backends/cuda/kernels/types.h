// What dtypes are called in generated sources, and numbers in launches.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_TYPES_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_TYPES_H_

#include <string>

#include "backends/cuda/device/args.h"
#include "switchyard/core/dtype.h"
#include "switchyard/core/scalar.h"

namespace sy::cuda {

// The element type of device/number.h.
std::string ElementName(DType d);
// An unsigned integer of so many bytes, or, for 16, what is moved as such.
std::string BitsName(size_t bytes);
// The number as an element of dtype d.
Immediate ImmediateOf(const Scalar& number, DType d);

// The dtypes in which nearly every arithmetic operator computes.
inline constexpr DTypeMask kBool = Bit(DType::kBool), kIntegers = kIntegerTypes,
                           kWideUnsigned = kWideUnsignedTypes, kHalves = kHalfTypes,
                           kFloats = Mask(DType::kFloat32, DType::kFloat64),
                           kComplex32 = Bit(DType::kComplex32), kComplexes = kComplexTypes,
                           kFloat8s = kFloat8Types;

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_TYPES_H_
