// Rows along dim, which is moved to the end.
#include <algorithm>

#include "switchyard/backends/common/views.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/backends/cpu/engine/rows.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 13;  // elements worth a thread

template <bool kLog>
void Backward(Call, const Tensor& out, const Tensor& grad_output, const Tensor& output, int64_t dim,
              DType) {
  if (out.numel() == 0) return;
  const DType d = output.dtype();
  const bool last = out.dim() == 0 || dim == out.dim() - 1;
  const Tensor g = Dense(last ? grad_output : WithLast(grad_output, dim), d),
               y = Dense(last ? output : WithLast(output, dim), d);
  const int64_t n = out.dim() == 0 ? 1 : out.sizes()[dim], item = static_cast<int64_t>(ItemSize(d));
  const auto run = kLog ? RowsOf(d).log_softmax_backward : RowsOf(d).softmax_backward;
  IntoDense(last ? out : WithLast(out, dim), d, [&](const Tensor& to) {
    ParallelFor(to.numel() / n, std::max<int64_t>(1, kGrain / n), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t at = i * n * item;
        run(static_cast<char*>(to.data()) + at, static_cast<const char*>(g.data()) + at,
            static_cast<const char*>(y.data()) + at, static_cast<size_t>(n));
      }
    });
  });
}

const Kernel softmax{"_softmax_backward_data", "cpu", kFloatingTypes, Backward<false>};
const Kernel log_softmax{"_log_softmax_backward_data", "cpu", kFloatingTypes, Backward<true>};

}  // namespace
}  // namespace sy::cpu
