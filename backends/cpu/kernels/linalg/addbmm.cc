// addbmm and baddbmm: products of batches, added to one matrix or to as many.
#include <algorithm>

#include "backends/cpu/kernels/linalg/add_product.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 18;  // multiplications worth a thread

// Source of the order: addbmm_impl_, ATen/native/LinearAlgebra.cpp: one product after the other.
void Addbmm(Call call, const Tensor& out, const Tensor& self, const Tensor& batch1,
            const Tensor& batch2, const Scalar& beta, const Scalar& alpha) {
  const Matrix to = Matrix::Of(out), none = {{to.rows, 0, 1, 1}, to.data, to.dtype};
  const Matrix x = BroadcastMatrix(self, to.rows, to.columns);
  const int64_t batch = batch1.sizes()[0];
  if (batch == 0)
    return AddProduct(call.op(), to, x, none, none.transposed().block(0, 0, 0, to.columns), beta,
                      alpha);
  for (int64_t i = 0; i < batch; ++i) {
    AddProduct(call.op(), to, i == 0 ? x : to, Matrix::Of(batch1, i), Matrix::Of(batch2, i),
               i == 0 ? beta : Scalar(1), alpha);
  }
}

// Threads share the batch if it has enough for all of them, else each product.
void Baddbmm(Call call, const Tensor& out, const Tensor& self, const Tensor& batch1,
             const Tensor& batch2, const Scalar& beta, const Scalar& alpha) {
  if (out.numel() == 0) return;
  const int64_t batch = out.sizes()[0], m = out.sizes()[1], n = out.sizes()[2];
  const auto run = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      AddProduct(call.op(), Matrix::Of(out, i), BroadcastMatrix(self, i, m, n),
                 Matrix::Of(batch1, i), Matrix::Of(batch2, i), beta, alpha);
    }
  };
  if (batch < NumThreads()) return run(0, batch);
  const int64_t each = m * n * std::max<int64_t>(1, batch1.sizes()[2]);
  ParallelFor(batch, std::max<int64_t>(1, kGrain / each), run);
}

const Kernel addbmm_kernel{"addbmm", "cpu", kNumberOrBoolTypes, Addbmm};
const Kernel baddbmm_kernel{"baddbmm", "cpu", kNumberOrBoolTypes, Baddbmm};

}  // namespace
}  // namespace sy::cpu
