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
  const int64_t m = out.numel();
  // What is not read may be of another dtype.
  const Matrix to = Column(out, m), x = beta.is_zero() ? to : Column(self, m);
  if (mat.numel() != 0) {
    AddProduct(call.op(), to, x, Matrix::Of(mat), Column(vec, vec.sizes()[0]), beta, alpha);
  } else {
    const Matrix none = {{m, 0, 1, 1}, to.data, to.dtype};
    AddProduct(call.op(), to, x, none, none.transposed().block(0, 0, 0, 1), beta, alpha);
  }
}

const Kernel kernel{"addmv", "cpu", kNumberOrBoolTypes, Addmv};

}  // namespace
}  // namespace sy::cpu
