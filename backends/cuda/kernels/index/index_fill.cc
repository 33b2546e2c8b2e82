#include "backends/cuda/engine/index.h"
#include "backends/cuda/engine/pointwise.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {
namespace {

void IndexFill(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
               const Tensor& value) {
  RequireFits(call, value, out.dtype());
  const Tensor to = AtLeast1d(out);
  const Tensor at = IndexOfSlices(index, to.sizes(), dim);
  if (value.is_host()) {
    return PutElements(call, Combine::kCopy, to, dim, at, {},
                       {.number = ReadNumber(value), .wraps = true});
  }
  const Tensor number = Tensor::Empty(IntSpan(), out.dtype(), out.device());
  CopyElements(call, number, value);
  const std::vector<int64_t> still(to.sizes().size(), 0);
  PutElements(call, Combine::kCopy, to, dim, at, number.AsStrided(at.sizes(), still, 0),
              {.wraps = true});
}

const Kernel index_fill{"index_fill.int_Tensor", "cuda", kAnyDType, IndexFill};

}  // namespace
}  // namespace sy::cuda
