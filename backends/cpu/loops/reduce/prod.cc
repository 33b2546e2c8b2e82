// Products.
#include "switchyard/backends/cpu/simd/reduce_register.h"

SY_CPU_REDUCTION(prod, f::Prod, Bit(DType::kInt64) | kHalves | kFloats | kComplexes,
                 kBool | (kIntegers & ~Bit(DType::kInt64)) | kWideUnsigned)
