#include "backends/cuda/engine/product.h"

namespace sy::cuda {
namespace {

void Bmm(Call call, const Tensor& out, const Tensor& self, const Tensor& mat2) {
  RunProduct(call, out, {self.sizes()[0], self.sizes()[1], mat2.sizes()[2], self.sizes()[2]},
             MatricesOf(out), MatricesOf(self), MatricesOf(mat2));
}

const Kernel bmm{"bmm", "cuda", kNumberOrBoolTypes, Bmm};

}  // namespace
}  // namespace sy::cuda
