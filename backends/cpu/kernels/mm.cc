#include "backends/cpu/blas/product.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace {

void Mm(Call, const Tensor& out, const Tensor& self, const Tensor& mat2) {
  Product(Matrix::Of(out), Matrix::Of(self), Matrix::Of(mat2));
}

const Kernel kernel{"mm", "cpu", kProductTypes | kFloat8Types, Mm};

}  // namespace
}  // namespace sy::cpu
