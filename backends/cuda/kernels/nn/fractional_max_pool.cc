#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/kernels/nn/windows.h"
#include "switchyard/ops/nn/fractional.h"

namespace sy::cuda {
namespace {

template <int kDims>
void FractionalMaxPool(Call call, const Tensor& out, const Tensor& indices, const Tensor& self,
                       IntSpan kernel_size, IntSpan output_size, const Tensor& samples) {
  if (out.numel() == 0) return;
  const DType d = out.dtype();
  const Window w = FractionalWindowOf(call.op(), self, kDims, kernel_size, output_size);
  const Tensor in = Dense(call, self, d), from = Dense(call, samples, d);
  IntoDense(call, out, d, [&](const Tensor& to) {
    IntoDense(call, indices, DType::kInt64, [&](const Tensor& places) {
      FractionalArgs args{};
      args.w = WindowsOf(w);
      args.planes = w.planes;
      args.in = in.data();
      args.samples = from.data();
      args.out = to.data();
      args.places = places.data();
      args.dims = kDims;
      Launch(call, Specialised("fractional_pool", "FractionalArgs", "FractionalMaxPool").Element(d),
             BlocksFor(to.numel()), args);
    });
  });
}

const Kernel pool2d{"fractional_max_pool2d", "cuda", kFloatingTypes, FractionalMaxPool<2>};
const Kernel pool3d{"fractional_max_pool3d", "cuda", kFloatingTypes, FractionalMaxPool<3>};

}  // namespace
}  // namespace sy::cuda
