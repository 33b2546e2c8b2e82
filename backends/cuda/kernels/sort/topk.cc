#include "backends/cuda/engine/select.h"

namespace sy::cuda {
namespace {

void Topk(Call call, const Tensor& values, const Tensor& indices, const Tensor& self, int64_t k,
          int64_t dim, bool largest, bool /*sorted*/) {
  if (values.numel() == 0) return;
  if (self.dim() == 0) k = 1;  // itself, as ATen, also where none is asked for
  const Rows rows = RowsAlong(call, self, dim);
  IntoRows(call, values, dim, [&](const Tensor& to_values) {
    IntoRows(call, indices, dim, [&](const Tensor& to_places) {
      TopRows(call, rows, k, largest, to_values, to_places);
    });
  });
}

const Kernel topk{"topk", "cuda", kRealTypes, Topk};

}  // namespace
}  // namespace sy::cuda
