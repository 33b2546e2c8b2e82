// What dtypes are called in generated sources, and numbers in launches.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_PLAN_TYPES_H_
#define SWITCHYARD_BACKENDS_CUDA_PLAN_TYPES_H_

#include <string>

#include "backends/cuda/device/args.h"
#include "switchyard/core/dtype.h"
#include "switchyard/core/scalar.h"
#include "switchyard/ops/formulas/facts.h"

namespace sy::cuda {

// The element type of device/number.h.
std::string ElementName(DType d);
// An unsigned integer of so many bytes, or, for 16, what is moved as such.
std::string BitsName(size_t bytes);
// The number as an element of dtype d.
Immediate ImmediateOf(const Scalar& number, DType d);

using f::kBool, f::kIntegers, f::kWideUnsigned, f::kHalves, f::kFloats, f::kComplex32,
    f::kComplexes, f::kFloat8s;

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_PLAN_TYPES_H_
