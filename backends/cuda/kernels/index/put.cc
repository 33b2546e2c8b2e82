#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/index.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/common/views.h"

namespace sy::cuda {
namespace {

void Put(Call call, const Tensor& out, const Tensor&, const Tensor& index, const Tensor& source,
         bool accumulate) {
  if (index.numel() == 0) return;
  const Tensor to = Dense(call, out, out.dtype());
  PutElements(call, accumulate ? Combine::kAdd : Combine::kCopy, Flat(to), 0,
              Flat(Dense(call, index, index.dtype())), Flat(Dense(call, source, source.dtype())),
              {.wraps = true, .round_each = true});
  if (!to.is_same(out)) CopyElements(call, out, to);
}

const Kernel put{"put", "cuda", kNumberOrBoolTypes, Put};

}  // namespace
}  // namespace sy::cuda
