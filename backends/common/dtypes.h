// The dtypes that kernels of several operators serve, on every device that has them: one says
// Kernel{"sort", "cpu", kSortTypes, Sort}, and so does its sibling elsewhere. Pointwise operators
// and reductions have theirs from formulas' facts (ops/formulas), and need none of these.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_DTYPES_H_
#define SWITCHYARD_BACKENDS_COMMON_DTYPES_H_

#include "switchyard/core/dtype.h"

namespace sy {

// Selections (topk, kthvalue), largest elements of windows, evenly spaced numbers.
inline constexpr DTypeMask kRealTypes = kIntegerTypes | kFloatingTypes;
// Running extremes, draws of integers.
inline constexpr DTypeMask kRealOrBoolTypes = kRealTypes | Bit(DType::kBool);
// And uint16, uint32, uint64: keys of sorts, and of searches for equals.
inline constexpr DTypeMask kSortTypes = kRealOrBoolTypes | kWideUnsignedTypes;
// Products and running sums.
inline constexpr DTypeMask kNumberTypes = kRealTypes | kComplexTypes;
// Matrix products take bool as far as nothing is multiplied: sizes that are 0 need no arithmetic.
inline constexpr DTypeMask kNumberOrBoolTypes = kNumberTypes | Bit(DType::kBool);
// Means and deviations; uniform and normal numbers.
inline constexpr DTypeMask kInexactTypes = kFloatingTypes | kComplexTypes | Bit(DType::kComplex32);
// Compared with 0, and counted.
inline constexpr DTypeMask kCountedTypes = kAllTypes & ~(kWideUnsignedTypes | kFloat8Types);
// Averages of windows. Source: ATen's avg_pool kernels.
inline constexpr DTypeMask kAverageTypes = Bit(DType::kInt64) | kFloatingTypes;

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_DTYPES_H_
