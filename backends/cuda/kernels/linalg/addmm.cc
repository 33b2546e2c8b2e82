#include "backends/cuda/engine/product.h"

namespace sy::cuda {
namespace {

void Addmm(Call call, const Tensor& out, const Tensor& self, const Tensor& mat1, const Tensor& mat2,
           const Scalar& beta, const Scalar& alpha) {
  const Addend x{self, MatricesOf(self), beta};
  RunProduct(call, out, {1, mat1.sizes()[0], mat2.sizes()[1], mat1.sizes()[1]}, MatricesOf(out),
             MatricesOf(mat1), MatricesOf(mat2), &x, alpha);
}

const Kernel addmm{"addmm", "cuda", kNumberOrBoolTypes, Addmm};

}  // namespace
}  // namespace sy::cuda
