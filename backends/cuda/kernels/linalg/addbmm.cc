#include "backends/cuda/engine/product.h"

namespace sy::cuda {
namespace {

// One product after the other, each rounded. Source of the order: addbmm_impl_,
// ATen/native/LinearAlgebra.cpp.
void Addbmm(Call call, const Tensor& out, const Tensor& self, const Tensor& batch1,
            const Tensor& batch2, const Scalar& beta, const Scalar& alpha) {
  const int64_t batch = batch1.sizes()[0];
  const ProductSizes size{1, batch1.sizes()[1], batch2.sizes()[2], batch1.sizes()[2]};
  const auto matrix = [](const Tensor& t, int64_t i) {
    Matrices m = MatricesOf(t);
    m.data = static_cast<char*>(m.data) + i * m.strides[0] * static_cast<int64_t>(t.itemsize());
    return m;
  };
  const Addend x{self, MatricesOf(self), beta}, sum{out, MatricesOf(out), 1};
  if (batch == 0) {
    const ProductSizes none{1, size.m, size.n, 0};
    RunProduct(call, out, none, MatricesOf(out), MatricesOf(out), MatricesOf(out), &x, alpha);
    return;
  }
  for (int64_t i = 0; i < batch; ++i) {
    RunProduct(call, out, size, MatricesOf(out), matrix(batch1, i), matrix(batch2, i),
               i == 0 ? &x : &sum, alpha);
  }
}
void Baddbmm(Call call, const Tensor& out, const Tensor& self, const Tensor& batch1,
             const Tensor& batch2, const Scalar& beta, const Scalar& alpha) {
  const Addend x{self, MatricesOf(self), beta};
  RunProduct(call, out,
             {batch1.sizes()[0], batch1.sizes()[1], batch2.sizes()[2], batch1.sizes()[2]},
             MatricesOf(out), MatricesOf(batch1), MatricesOf(batch2), &x, alpha);
}

const Kernel addbmm{"addbmm", "cuda", kNumberOrBoolTypes, Addbmm};
const Kernel baddbmm{"baddbmm", "cuda", kNumberOrBoolTypes, Baddbmm};

}  // namespace
}  // namespace sy::cuda
