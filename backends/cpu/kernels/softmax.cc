// Each row while it is in the cache; where dim is not the last, columns side by side.
#include <algorithm>

#include "backends/cpu/kernels/dense.h"
#include "switchyard/backends/cpu/engine/rows.h"
#include "switchyard/backends/cpu/parallel.h"
#include "switchyard/core/shape.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 13;    // elements worth a thread
constexpr int64_t kColumnBytes = 512;  // columns that a thread takes at a time

void Run(const Tensor& out, const Tensor& self, int64_t dim, bool log) {
  if (out.numel() == 0) return;
  const DType d = out.dtype();
  const RowLoops& rows = RowsOf(d);
  const Tensor in = Dense(self, d);
  dim = WrapDim(dim, self.dim());
  int64_t n = 1, inner = 1;
  if (self.dim() > 0) n = self.sizes()[dim];
  for (int64_t i = dim + 1; i < self.dim(); ++i) inner *= self.sizes()[i];
  const int64_t outer = self.numel() / (n * inner), item = static_cast<int64_t>(ItemSize(d));
  IntoDense(out, d, [&](const Tensor& to) {
    char* o = static_cast<char*>(to.data());
    const char* x = static_cast<const char*>(in.data());
    const int64_t grain = std::max<int64_t>(1, kGrain / n);
    if (inner == 1) {
      const auto run = log ? rows.log_softmax : rows.softmax;
      ParallelFor(outer, grain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          run(o + i * n * item, x + i * n * item, static_cast<size_t>(n));
      });
      return;
    }
    const int64_t width = std::min(inner, kColumnBytes / item);
    const int64_t blocks = (inner + width - 1) / width;
    ParallelFor(
        outer * blocks, std::max<int64_t>(1, grain / width), [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            const int64_t first = i % blocks * width;
            const int64_t at = (i / blocks * n * inner + first) * item;
            rows.softmax_columns(o + at, x + at, static_cast<size_t>(n), static_cast<size_t>(inner),
                                 static_cast<size_t>(std::min(width, inner - first)), log);
          }
        });
  });
}

template <bool kLog>
void SoftmaxInt(Call, const Tensor& out, const Tensor& self, int64_t dim, Optional<DType>) {
  Run(out, self, dim, kLog);
}
template <bool kLog>
void Softmax(Call, const Tensor& out, const Tensor& self, int64_t dim, bool) {
  Run(out, self, dim, kLog);
}

void Backward(Call, const Tensor& out, const Tensor& grad_output, const Tensor& output, int64_t dim,
              DType) {
  if (out.numel() == 0) return;
  const DType d = output.dtype();
  dim = WrapDim(dim, out.dim());
  const bool last = out.dim() == 0 || dim == out.dim() - 1;
  const Tensor g = Dense(last ? grad_output : WithLast(grad_output, dim), d),
               y = Dense(last ? output : WithLast(output, dim), d);
  const int64_t n = out.dim() == 0 ? 1 : out.sizes()[dim], item = static_cast<int64_t>(ItemSize(d));
  IntoDense(last ? out : WithLast(out, dim), d, [&](const Tensor& to) {
    ParallelFor(to.numel() / n, std::max<int64_t>(1, kGrain / n), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t at = i * n * item;
        RowsOf(d).softmax_backward(static_cast<char*>(to.data()) + at,
                                   static_cast<const char*>(g.data()) + at,
                                   static_cast<const char*>(y.data()) + at, static_cast<size_t>(n));
      }
    });
  });
}

const Kernel softmax{"softmax.int", "cpu", kFloatingTypes, SoftmaxInt<false>};
const Kernel log_softmax{"log_softmax.int", "cpu", kFloatingTypes, SoftmaxInt<true>};
const Kernel plain_softmax{"_softmax", "cpu", kFloatingTypes, Softmax<false>};
const Kernel plain_log_softmax{"_log_softmax", "cpu", kFloatingTypes, Softmax<true>};
const Kernel backward{"_softmax_backward_data", "cpu", kFloatingTypes, Backward};

}  // namespace
}  // namespace sy::cpu
