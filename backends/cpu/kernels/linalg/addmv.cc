// addmv: a product with a vector, added to one.
#include "backends/cpu/kernels/linalg/add_product.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

// A vector as a matrix of one column.
Matrix Column(const Tensor& t, int64_t rows) {
  const int64_t stride = t.dim() == 0 || t.sizes()[0] == 1 ? (rows == 1 ? 1 : 0) : t.strides()[0];
  return {{rows, 1, stride, 1}, static_cast<char*>(t.data()), t.dtype()};
}

void Addmv(Call call, const Tensor& out, const Tensor& self, const Tensor& mat, const Tensor& vec,
           const Scalar& beta, const Scalar& alpha) {
  AddProduct(call.op(), Column(out, out.sizes()[0]), Column(self, out.sizes()[0]), Matrix::Of(mat),
             Column(vec, vec.sizes()[0]), beta, alpha);
}

const Kernel kernel{"addmv", "cpu", kNumberOrBoolTypes, Addmv};

}  // namespace
}  // namespace sy::cpu
