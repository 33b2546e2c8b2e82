#include "backends/cuda/engine/product.h"

namespace sy::cuda {
namespace {

void Addmv(Call call, const Tensor& out, const Tensor& self, const Tensor& mat, const Tensor& vec,
           const Scalar& beta, const Scalar& alpha) {
  const Addend x{self, ColumnOf(self), beta};
  RunProduct(call, out, {1, mat.sizes()[0], 1, mat.sizes()[1]}, ColumnOf(out), MatricesOf(mat),
             ColumnOf(vec), &x, alpha);
}

const Kernel addmv{"addmv", "cuda", kNumberOrBoolTypes, Addmv};

}  // namespace
}  // namespace sy::cuda
