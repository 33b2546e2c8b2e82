// addmm: a product, added to a matrix.
#include "backends/cpu/kernels/linalg/add_product.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

void Addmm(Call call, const Tensor& out, const Tensor& self, const Tensor& mat1, const Tensor& mat2,
           const Scalar& beta, const Scalar& alpha) {
  const Matrix to = Matrix::Of(out);
  AddProduct(call.op(), to, BroadcastMatrix(self, to.rows, to.columns), Matrix::Of(mat1),
             Matrix::Of(mat2), beta, alpha);
}

const Kernel kernel{"addmm", "cpu", kNumberOrBoolTypes, Addmm};

}  // namespace
}  // namespace sy::cpu
