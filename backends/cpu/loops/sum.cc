// Sums; means divide them.
#include "switchyard/backends/cpu/simd/reduce_register.h"

SY_CPU_REDUCTION(sum, f::Sum, Bit(DType::kInt64) | kHalves | kFloats | kComplexes,
                 kBool | (kIntegers & ~Bit(DType::kInt64)) | kWideUnsigned)
