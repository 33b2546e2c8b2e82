// A ReduceFinish::run that makes means of sums.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_DIVIDE_BY_COUNT_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_DIVIDE_BY_COUNT_H_

#include "switchyard/core/dtype.h"

namespace sy::cpu {

// Sums: float32, float64 or complex; count: of the elements of each.
void DivideByCount(void* const* sums, const DType* dtypes, int64_t n, int64_t count, double);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_DIVIDE_BY_COUNT_H_
