#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace loops {
extern const ReduceSet max, min;
}
namespace {

void Amax(Call call, const Tensor& out, const Tensor& self, IntSpan dim, bool) {
  Reduce(loops::max, call.dtype(), self, DimMask(dim), {{&out, 0}});
}

void Amin(Call call, const Tensor& out, const Tensor& self, IntSpan dim, bool) {
  Reduce(loops::min, call.dtype(), self, DimMask(dim), {{&out, 0}});
}

void Aminmax(Call call, const Tensor& min, const Tensor& max, const Tensor& self,
             std::optional<int64_t> dim, bool) {
  const uint64_t mask = dim ? DimMask(*dim) : kAllDims;
  Reduce(loops::min, call.dtype(), self, mask, {{&min, 0}});
  Reduce(loops::max, call.dtype(), self, mask, {{&max, 0}});
}

const Kernel amax{"amax", "cpu", loops::max.dtypes, Amax};
const Kernel amin{"amin", "cpu", loops::min.dtypes, Amin};
const Kernel aminmax{"aminmax", "cpu", loops::max.dtypes, Aminmax};

}  // namespace
}  // namespace sy::cpu
