// How elements that meet in one place become one: what scatter, index_add and their kin do, and
// segment_reduce.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_COMBINE_H_
#define SWITCHYARD_BACKENDS_COMMON_COMBINE_H_

#include <optional>
#include <string_view>

#include "switchyard/core/dtype.h"
#include "switchyard/core/scalar.h"

namespace sy {

enum class Combine : uint8_t { kCopy, kAdd, kMultiply, kMin, kMax };

// What sums and products take; extremes lack the complex and the wide unsigned types.
inline constexpr DTypeMask kCombineTypes =
    kIntegerTypes | kWideUnsignedTypes | kFloatingTypes | kComplexTypes | Bit(DType::kBool);

// By the names that shape functions let through: "add" or "multiply"; "sum", "mean" (a sum that is
// divided afterwards), "prod", "amax" or "amin".
Combine CombineOf(std::string_view reduce);

// What changes nothing that it is combined with.
Scalar IdentityOf(Combine how, DType dtype);

// segment_reduce's names; the device knows them by number.
enum class SegmentReduction : uint8_t { kSum, kMean, kMin, kMax, kProd };
SegmentReduction SegmentReductionOf(std::string_view reduce);
// What segments start from, unless the caller says.
double InitialOf(SegmentReduction how, const std::optional<Scalar>& initial);

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_COMBINE_H_
