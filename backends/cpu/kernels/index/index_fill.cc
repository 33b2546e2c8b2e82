// index_fill: one number in the slices that an index names.
#include <vector>

#include "backends/cpu/kernels/index/combine_elements.h"
#include "backends/cpu/kernels/index/wrapped_positions.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/common/views.h"
#include "switchyard/backends/cpu/engine/copy.h"

namespace sy::cpu {
namespace {

void IndexFill(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
               const Tensor& value) {
  const Tensor to = AtLeast1d(out);
  const Tensor positions = WrappedPositions(call, index, dim, to.sizes()[dim]);
  RequireFits(call, value, out.dtype());
  if (out.numel() == 0 || index.numel() == 0) return;
  const Tensor number = Tensor::Empty(IntSpan(), out.dtype());
  CopyElements(number, value);
  const std::vector<int64_t> still(static_cast<size_t>(to.dim()), 0);
  const Tensor at = IndexOfSlices(positions, to.sizes(), dim);
  CombineElements(Combine::kCopy, to, dim, at, number.AsStrided(at.sizes(), still, 0));
}

const Kernel kernel{"index_fill.int_Tensor", "cpu", kAnyDType, IndexFill};

}  // namespace
}  // namespace sy::cpu
