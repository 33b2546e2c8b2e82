#include "backends/cuda/engine/product.h"

namespace sy::cuda {
namespace {

void Addmv(Call call, const Tensor& out, const Tensor& self, const Tensor& mat, const Tensor& vec,
           const Scalar& beta, const Scalar& alpha) {
  // What is not read may be of another dtype; a matrix without elements leaves beta self, of
  // self's sizes.
  const Tensor& added = beta.is_zero() ? out : self;
  const Addend x{added, ColumnOf(added), beta};
  const int64_t k = mat.numel() == 0 ? 0 : mat.sizes()[1];
  RunProduct(call, out, {1, out.numel(), 1, k}, ColumnOf(out), MatricesOf(mat), ColumnOf(vec), &x,
             alpha);
}

const Kernel addmv{"addmv", "cuda", kNumberOrBoolTypes, Addmv};

}  // namespace
}  // namespace sy::cuda
