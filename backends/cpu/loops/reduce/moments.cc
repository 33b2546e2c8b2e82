// Means and sums of squared deviations: what variances are made of.
#include "switchyard/backends/cpu/simd/reduce_register.h"

SY_CPU_REDUCTION(moments, f::Moments)
