// Sums; means divide them. Sums of what elements are made into: norms take roots of these.
#include "switchyard/backends/cpu/simd/reduce_register.h"

SY_CPU_REDUCTION(sum, f::Sum)
SY_CPU_REDUCTION(nansum, f::NanSum)
SY_CPU_REDUCTION(sum_of_magnitudes, f::SumOfMagnitudes)
SY_CPU_REDUCTION(sum_of_squares, f::SumOfSquares)
