#include "switchyard/backends/cpu/kernels/divide_by_count.h"

#include <complex>

namespace sy::cpu {

void DivideByCount(void* const* s, const DType* dtypes, int64_t n, int64_t count, double) {
  VisitDType<Mask(DType::kFloat32, DType::kFloat64) | kComplexTypes>(dtypes[0], [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T divisor(static_cast<double>(count));
    T* sums = static_cast<T*>(s[0]);
    for (int64_t i = 0; i < n; ++i) sums[i] /= divisor;
  });
}

}  // namespace sy::cpu
