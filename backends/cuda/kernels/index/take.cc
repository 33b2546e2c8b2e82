#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/index.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/common/views.h"

namespace sy::cuda {
namespace {

void Take(Call call, const Tensor& out, const Tensor& self, const Tensor& index) {
  if (out.numel() == 0) return;
  IntoDense(call, out, out.dtype(), [&](const Tensor& to) {
    GatherElements(call, Flat(to), Flat(Dense(call, self, self.dtype())), 0,
                   Flat(Dense(call, index, index.dtype())), true);
  });
}

const Kernel take{"take", "cuda", kNumberOrBoolTypes, Take};

}  // namespace
}  // namespace sy::cuda
