// max_unpool2d and max_unpool3d by scatter_.

#include <algorithm>
#include <vector>

#include "ops/nn/plane_positions_composite.h"
#include "switchyard/ops/nn/window_backward.h"

namespace sy {
namespace {

Tensor Unpooled(Call call, const Tensor& self, const Tensor& indices, IntSpan output_size, int dims,
                MemoryFormat format) {
  if (output_size.size() != static_cast<size_t>(dims)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"output_size must have ", dims, " entries, got ", output_size});
  }
  if (::std::any_of(output_size.begin(), output_size.end(), [](int64_t n) { return n < 0; })) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"output_size must not be negative, got ", output_size});
  }
  const IntSpan s = self.sizes();
  const int64_t rank = self.dim();
  if ((rank != dims + 1 && rank != dims + 2) ||
      ::std::any_of(s.end() - dims - 1, s.end(), [](int64_t n) { return n == 0; })) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self must have ", dims + 1, " or ", dims + 2,
          " dimensions, only the first of the latter of size 0, got sizes ", s});
  }
  return IntoPlanes(call, "self", self, indices, WithLastSizes(self, output_size), dims,
                    /*add=*/false, format);
}

Tensor MaxUnpool2d(Call call, const Tensor& self, const Tensor& indices, IntSpan output_size) {
  return Unpooled(call, self, indices, output_size, 2, PlaneFormat(self, 2));
}
Tensor MaxUnpool3d(Call call, const Tensor& self, const Tensor& indices, IntSpan output_size,
                   IntSpan stride, IntSpan padding) {
  if (stride.size() != 3 || padding.size() != 3) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"stride and padding must have 3 entries, got ", stride, " and ", padding});
  }
  if (::std::any_of(stride.begin(), stride.end(), [](int64_t n) { return n <= 0; }))
    Fail(ErrorCode::kInvalidArgument, call.op(), {"stride must be positive, got ", stride});
  return Unpooled(call, self, indices, output_size, 3, MemoryFormat::kContiguous);
}
const Composite max_unpool2d_body{"max_unpool2d", MaxUnpool2d};
const Composite max_unpool3d_body{"max_unpool3d", MaxUnpool3d};

}  // namespace
}  // namespace sy
