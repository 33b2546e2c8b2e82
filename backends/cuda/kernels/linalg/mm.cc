#include "backends/cuda/engine/product.h"

namespace sy::cuda {
namespace {

void Mm(Call call, const Tensor& out, const Tensor& self, const Tensor& mat2) {
  RunProduct(call, out, {1, self.sizes()[0], mat2.sizes()[1], self.sizes()[1]}, MatricesOf(out),
             MatricesOf(self), MatricesOf(mat2));
}

const Kernel mm{"mm", "cuda", kNumberOrBoolTypes | kFloat8s, Mm};

}  // namespace
}  // namespace sy::cuda
