// grid_sampler: that of images or of volumes.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor GridSampler(Call call, const Tensor& input, const Tensor& grid, int64_t mode,
                   int64_t padding, bool align_corners) {
  if (input.dim() == 4) return grid_sampler_2d(input, grid, mode, padding, align_corners);
  if (input.dim() == 5) return grid_sampler_3d(input, grid, mode, padding, align_corners);
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"input must have 4 or 5 dimensions, got sizes ", input.sizes()});
}
const Composite sampler_body{"grid_sampler", GridSampler};

}  // namespace
}  // namespace sy
