#include "backends/cuda/engine/product.h"

namespace sy::cuda {
namespace {

void Mv(Call call, const Tensor& out, const Tensor& self, const Tensor& vec) {
  RunProduct(call, out, {1, self.sizes()[0], 1, self.sizes()[1]}, ColumnOf(out), MatricesOf(self),
             ColumnOf(vec));
}

const Kernel mv{"mv", "cuda", kNumberOrBoolTypes, Mv};

}  // namespace
}  // namespace sy::cuda
