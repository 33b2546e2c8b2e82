// addmm: a product, added to a matrix; and what is made of the sum.
#include "backends/cpu/kernels/linalg/add_product.h"
#include "switchyard/backends/common/kernels/linalg.h"
#include "switchyard/backends/cpu/engine/engine.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

void Addmm(Call call, const Tensor& out, const Tensor& self, const Tensor& mat1, const Tensor& mat2,
           const Scalar& beta, const Scalar& alpha) {
  const Matrix to = Matrix::Of(out);
  AddProduct(call.op(), to, BroadcastMatrix(self, to.rows, to.columns), Matrix::Of(mat1),
             Matrix::Of(mat2), beta, alpha);
}
void AddmmActivation(Call call, const Tensor& out, const Tensor& self, const Tensor& mat1,
                     const Tensor& mat2, const Scalar& beta, const Scalar& alpha, bool use_gelu) {
  Addmm(call, out, self, mat1, mat2, beta, alpha);
  Activate<Engine>(call, out, use_gelu);
}

const Kernel addmm{"addmm", "cpu", kNumberOrBoolTypes, Addmm};
const Kernel activation{"_addmm_activation", "cpu", kRealTypes, AddmmActivation};

}  // namespace
}  // namespace sy::cpu
