#include <cstring>

#include "backends/cpu/kernels/nn/im2col.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr DTypeMask kSummed = kFloatingTypes | kComplexTypes;

void Col2Im(Call call, const Tensor& out, const Tensor& self, IntSpan, IntSpan kernel,
            IntSpan dilation, IntSpan padding, IntSpan stride) {
  if (out.numel() == 0) return;
  const Window w = Window::OfColumns(call.op(), out.sizes(), kernel, dilation, padding, stride);
  const Tensor in = Dense(self, self.dtype());
  IntoDense(out, out.dtype(), [&](const Tensor& to) {
    std::memset(to.data(), 0, static_cast<size_t>(to.numel()) * to.itemsize());
    VisitDType<kSummed>(to.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      FromColumns(w, w.planes, in.data<T>(), to.data<T>());
    });
  });
}

const Kernel kernel{"col2im", "cpu", kSummed, Col2Im};

}  // namespace
}  // namespace sy::cpu
