#include "backends/cuda/engine/engine.h"
#include "backends/cuda/engine/product.h"
#include "switchyard/backends/common/kernels/linalg.h"

namespace sy::cuda {
namespace {

bool Multiply(Call call, const Tensor& out, const Tensor& self, const Tensor& mat1,
              const Tensor& mat2, const Scalar& beta, const Scalar& alpha, bool relu) {
  const Addend x{self, MatricesOf(self), beta};
  return RunProduct(call, out, {1, mat1.sizes()[0], mat2.sizes()[1], mat1.sizes()[1]},
                    MatricesOf(out), MatricesOf(mat1), MatricesOf(mat2), &x, alpha, relu);
}

void Addmm(Call call, const Tensor& out, const Tensor& self, const Tensor& mat1, const Tensor& mat2,
           const Scalar& beta, const Scalar& alpha) {
  Multiply(call, out, self, mat1, mat2, beta, alpha, /*relu=*/false);
}
// cuBLASLt's gelu is the formula with tanh.
void AddmmActivation(Call call, const Tensor& out, const Tensor& self, const Tensor& mat1,
                     const Tensor& mat2, const Scalar& beta, const Scalar& alpha, bool use_gelu) {
  const bool done = Multiply(call, out, self, mat1, mat2, beta, alpha, /*relu=*/!use_gelu);
  if (use_gelu || !done) Activate<Engine>(call, out, use_gelu);
}

const Kernel addmm{"addmm", "cuda", kNumberOrBoolTypes, Addmm};
const Kernel activation{"_addmm_activation", "cuda", kRealTypes, AddmmActivation};

}  // namespace
}  // namespace sy::cuda
