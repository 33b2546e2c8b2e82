#include "backends/cuda/engine/dense.h"
#include "backends/cuda/kernels/nn/columns.h"
#include "backends/cuda/kernels/nn/windows.h"

namespace sy::cuda {
namespace {

void Im2Col(Call call, const Tensor& out, const Tensor& self, IntSpan kernel, IntSpan dilation,
            IntSpan padding, IntSpan stride) {
  if (out.numel() == 0) return;
  const Window w = Window::OfColumns(call.op(), self.sizes(), kernel, dilation, padding, stride);
  const Tensor in = Dense(call, self, self.dtype());
  IntoDense(call, out, out.dtype(), [&](const Tensor& to) {
    ToColumns(call, out.dtype(), {WindowsOf(w), w.planes, in.data(), to.data(), {}});
  });
}
const Kernel im2col{"im2col", "cuda", kAnyDType, Im2Col};

}  // namespace
}  // namespace sy::cuda
