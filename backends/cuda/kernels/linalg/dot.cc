#include "backends/cuda/engine/product.h"

namespace sy::cuda {
namespace {

void Dot(Call call, const Tensor& out, const Tensor& self, const Tensor& tensor) {
  RunProduct(call, out, {1, 1, 1, self.numel()}, ColumnOf(out), RowOf(self), ColumnOf(tensor));
}

const Kernel dot{"dot", "cuda", kNumberTypes, Dot};

}  // namespace
}  // namespace sy::cuda
