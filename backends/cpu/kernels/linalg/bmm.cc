#include <algorithm>

#include "switchyard/backends/cpu/blas/product.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 18;  // multiplications worth a thread

// Threads share the batch if it has enough for all of them, else each product.
void Bmm(Call call, const Tensor& out, const Tensor& self, const Tensor& mat2) {
  if (out.numel() == 0) return;
  const int64_t batch = out.sizes()[0];
  const auto run = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      Product(call.op(), Matrix::Of(out, i), Matrix::Of(self, i), Matrix::Of(mat2, i));
  };
  if (batch < NumThreads()) return run(0, batch);
  const int64_t each = out.sizes()[1] * out.sizes()[2] * std::max<int64_t>(1, self.sizes()[2]);
  ParallelFor(batch, std::max<int64_t>(1, kGrain / each), run);
}

const Kernel kernel{"bmm", "cpu", kNumberOrBoolTypes, Bmm};

}  // namespace
}  // namespace sy::cpu
