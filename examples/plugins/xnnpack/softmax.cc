// exp(x - most) over its sum, along the last dimension.

#include <cfloat>

#include "finite.h"
#include "kernels.h"
#include "layout.h"

namespace xnnpack {
namespace {

void Compute(Call call, Tensor out, Tensor x, int64_t dim) {
  if (out.numel() == 0) return;
  if (out.dtype() != kFloat32 || x.dtype() != kFloat32) throw Declined("only float32");
  if (!out.is_contiguous() || !x.is_contiguous()) throw Declined("only contiguous tensors");
  if (x.dim() == 0 || (dim + x.dim()) % x.dim() != x.dim() - 1)
    throw Declined("only along the last dimension");
  const int64_t n = x.size(x.dim() - 1), rows = x.numel() / n;
  RequireNoNan(x.data<float>(), x.numel());
  for (int64_t row = 0; row < rows; ++row) {
    const float* first = x.data<float>() + row * n;
    // Any finite element does, unless one is infinity: -inf alone gives 0.
    float most = first[0];
    for (int64_t i = 1; i < n; ++i) most = first[i] > most ? first[i] : most;
    if (most < -FLT_MAX || most > FLT_MAX)
      throw Declined("XNNPACK gives no NaN, and the largest of a row is infinite");
  }
  const auto channels = static_cast<size_t>(n);
  Operator op;
  Created(xnn_create_softmax_nc_f32(channels, channels, channels, 0, op.out()));
  op.Run(Pool(call, x.numel()), [&](xnn_operator_t o, pthreadpool_t pool) {
    return xnn_setup_softmax_nc_f32(o, static_cast<size_t>(rows), x.data<float>(),
                                    out.data<float>(), pool);
  });
}

void Softmax(Call call, Tensor out, Tensor x, int64_t dim, Optional<DType>) {
  Compute(call, out, x, dim);
}
void HalfSoftmax(Call call, Tensor out, Tensor x, int64_t dim, bool) { Compute(call, out, x, dim); }

}  // namespace

void AddSoftmax(KernelList& all) {
  Add<Softmax>(all, "softmax.int");
  Add<HalfSoftmax>(all, "_softmax");
}

}  // namespace xnnpack
