#include "switchyard/backends/cpu/blas/product.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

void Mm(Call call, const Tensor& out, const Tensor& self, const Tensor& mat2) {
  Product(call.op(), Matrix::Of(out), Matrix::Of(self), Matrix::Of(mat2));
}

const Kernel kernel{"mm", "cpu", kNumberOrBoolTypes | kFloat8Types, Mm};

}  // namespace
}  // namespace sy::cpu
