// Gradients of pools of largest elements, by scatter_add_.

#include <tuple>

#include "ops/nn/plane_positions_composite.h"
#include "switchyard/ops/nn/fractional.h"
#include "switchyard/ops/nn/window_backward.h"

namespace sy {
namespace {

Tensor Scattered(Call call, const Tensor& grad_output, const Tensor& self, const Tensor& indices,
                 int dims, MemoryFormat format) {
  if (grad_output.dtype() != self.dtype()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"grad_output and self must have one dtype, got ", grad_output.dtype(), " and ",
          self.dtype()});
  }
  return IntoPlanes(call, "grad_output", grad_output, indices, self.sizes(), dims, /*add=*/true,
                    format);
}

template <int kDims>
Tensor MaxPool(Call call, const Tensor& grad_output, const Tensor& self, IntSpan kernel_size,
               IntSpan stride, IntSpan padding, IntSpan dilation, bool ceil_mode,
               const Tensor& indices) {
  const Window w =
      Window::OfPool(call.op(), self, kDims, kernel_size, stride, padding, dilation, ceil_mode);
  RequirePooled(call.op(), "grad_output", grad_output, self, w);
  return Scattered(call, grad_output, self, indices, kDims, PlaneFormat(self, kDims));
}

Tensor MaxPoolAgain(Call call, const Tensor& grad_output, const Tensor& self, IntSpan kernel_size,
                    IntSpan stride, IntSpan padding, IntSpan dilation, bool ceil_mode) {
  const Tensor indices = ::std::get<1>(
      max_pool2d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode));
  return MaxPool<2>(call, grad_output, self, kernel_size, stride, padding, dilation, ceil_mode,
                    indices);
}

// In three dimensions row-major, as ATen has it.
template <int kDims>
Tensor Adaptive(Call call, const Tensor& grad_output, const Tensor& self, const Tensor& indices) {
  AdaptiveWindowOf(call.op(), grad_output, self, kDims);
  return Scattered(call, grad_output, self, indices, kDims,
                   kDims == 2 ? PlaneFormat(self, kDims) : MemoryFormat::kContiguous);
}

template <int kDims>
Tensor Fractional(Call call, const Tensor& grad_output, const Tensor& self, IntSpan kernel_size,
                  IntSpan output_size, const Tensor& indices) {
  const Window w = FractionalWindowOf(call.op(), self, kDims, kernel_size, output_size);
  RequirePooled(call.op(), "grad_output", grad_output, self, w);
  return Scattered(call, grad_output, self, indices, kDims, MemoryFormat::kContiguous);
}

const Composite max2d_again_body{"max_pool2d_backward", MaxPoolAgain};
const Composite max2d_body{"max_pool2d_with_indices_backward", MaxPool<2>};
const Composite max3d_body{"max_pool3d_with_indices_backward", MaxPool<3>};
const Composite adaptive2d_body{"adaptive_max_pool2d_backward", Adaptive<2>};
const Composite adaptive3d_body{"adaptive_max_pool3d_backward", Adaptive<3>};
const Composite fractional2d_body{"fractional_max_pool2d_backward", Fractional<2>};
const Composite fractional3d_body{"fractional_max_pool3d_backward", Fractional<3>};

}  // namespace
}  // namespace sy
