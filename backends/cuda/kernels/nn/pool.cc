#include "backends/cuda/kernels/nn/pool.h"

#include "backends/cuda/engine/dense.h"
#include "backends/cuda/kernels/nn/windows.h"

namespace sy::cuda {

void RunPool(Call call, const char* function, const Window& w, const Tensor& out,
             const Tensor* places, const Tensor& self, PoolArgs args) {
  if (out.numel() == 0) return;
  const DType d = self.dtype();
  const Tensor in = Dense(call, self, d);
  args.w = WindowsOf(w);
  args.planes = w.planes;
  args.in = in.data();
  IntoDense(call, out, d, [&](const Tensor& to) {
    args.out = to.data();
    const auto run = [&] {
      Launch(call, Specialised("pool", "PoolArgs", function).Element(d), BlocksFor(to.numel()),
             args);
    };
    if (places == nullptr) return run();
    IntoDense(call, *places, DType::kInt64, [&](const Tensor& at) {
      args.places = at.data();
      run();
    });
  });
}

}  // namespace sy::cuda
