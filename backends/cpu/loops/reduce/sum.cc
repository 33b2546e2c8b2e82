// Sums; means divide them. Sums of what elements are made into: norms take roots of these.
#include "switchyard/backends/cpu/simd/reduce_register.h"

SY_CPU_REDUCTION(sum, f::Sum, Bit(DType::kInt64) | kHalves | kFloats | kComplexes,
                 kBool | (kIntegers & ~Bit(DType::kInt64)) | kWideUnsigned)
SY_CPU_REDUCTION(nansum, f::NanSum, kHalves | kFloats, 0)
SY_CPU_REDUCTION(sum_of_magnitudes, f::SumOfMagnitudes, kHalves | kFloats, 0)
SY_CPU_REDUCTION(sum_of_squares, f::SumOfSquares, kHalves | kFloats, 0)
