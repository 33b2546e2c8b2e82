#include <complex>

#include "backends/cpu/kernels/divide_by_count.h"
#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace loops {
extern const ReduceSet sum;
}
namespace {

void Mean(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim, bool,
          Optional<DType>) {
  Reduce(loops::sum, call.dtype(), self, DimMask(self, dim), {{&out, 0}}, {DivideByCount});
}

const Kernel kernel{"mean.dim", "cpu", kFloatingTypes | kComplexTypes, Mean};

}  // namespace

void DivideByCount(void* const* s, const DType* dtypes, int64_t n, int64_t count, double) {
  VisitDType<Mask(DType::kFloat32, DType::kFloat64) | kComplexTypes>(dtypes[0], [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T divisor(static_cast<double>(count));
    T* sums = static_cast<T*>(s[0]);
    for (int64_t i = 0; i < n; ++i) sums[i] /= divisor;
  });
}

}  // namespace sy::cpu
