#include "switchyard/backends/cpu/blas/product.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

// A vector as a matrix of one column.
Matrix Column(const Tensor& t) {
  return {{t.sizes()[0], 1, t.strides()[0], 1}, static_cast<char*>(t.data()), t.dtype()};
}

void Mv(Call call, const Tensor& out, const Tensor& self, const Tensor& vec) {
  Product(call.op(), Column(out), Matrix::Of(self), Column(vec));
}

const Kernel kernel{"mv", "cpu", kNumberOrBoolTypes, Mv};

}  // namespace
}  // namespace sy::cpu
