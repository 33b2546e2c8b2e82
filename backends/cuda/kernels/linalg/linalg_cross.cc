#include "backends/cuda/engine/lines.h"
#include "backends/cuda/plan/types.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/common/views.h"

namespace sy::cuda {
namespace {

void Cross(Call call, const Tensor& out, const Tensor& self, const Tensor& other, int64_t dim) {
  const Tensor a = Expanded(self, out.sizes()), b = Expanded(other, out.sizes());
  static constexpr char kKind = 0;
  const KernelKey key{&kKind, {static_cast<uint64_t>(out.dtype()), 0, 0}};
  RunLines(call,
           {.body = "Cross<" + ElementName(out.dtype()),
            .key = key,
            .header = "vectors",
            .one_lane = true},
           dim, a, out, &b);
}

const Kernel cross{"linalg_cross", "cuda", kNumberTypes, Cross};

}  // namespace
}  // namespace sy::cuda
