#include "backends/cuda/engine/dense.h"
#include "backends/cuda/kernels/nn/columns.h"
#include "backends/cuda/kernels/nn/windows.h"

namespace sy::cuda {
namespace {

void Col2Im(Call call, const Tensor& out, const Tensor& self, IntSpan, IntSpan kernel,
            IntSpan dilation, IntSpan padding, IntSpan stride) {
  if (out.numel() == 0) return;
  const Window w = Window::OfColumns(call.op(), out.sizes(), kernel, dilation, padding, stride);
  const Tensor in = Dense(call, self, self.dtype());
  IntoDense(call, out, out.dtype(), [&](const Tensor& to) {
    ConvolutionArgs args{};
    args.w = WindowsOf(w);
    args.samples = args.groups = 1;
    args.in = w.planes;
    args.columns = in.data();
    args.y = to.data();
    // 16-bit floats round each time, as on the host.
    ConvolveTransposed(call, to.dtype(), args, true);
  });
}
const Kernel col2im{"col2im", "cuda", kFloatingTypes | kComplexTypes, Col2Im};

}  // namespace
}  // namespace sy::cuda
