#include "backends/cpu/kernels/nn/im2col.h"

#include "switchyard/backends/cpu/engine/copy_items.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

void Im2Col(Call call, const Tensor& out, const Tensor& self, IntSpan kernel, IntSpan dilation,
            IntSpan padding, IntSpan stride) {
  if (out.numel() == 0) return;
  const Window w = Window::OfColumns(call.op(), self.sizes(), kernel, dilation, padding, stride);
  const Tensor in = Dense(self, self.dtype());
  IntoDense(out, out.dtype(), [&](const Tensor& to) {
    VisitItem(to.itemsize(), [&](auto item) {
      using U = decltype(item);
      ToColumns(w, w.planes, static_cast<const U*>(in.data()), static_cast<U*>(to.data()));
    });
  });
}

const Kernel kernel{"im2col", "cpu", kAnyDType, Im2Col};

}  // namespace
}  // namespace sy::cpu
