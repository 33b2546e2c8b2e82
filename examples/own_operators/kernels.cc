// The kernel of demo::rms_norm for the cpu device. Arguments are checked, and `out` is allocated,
// when it runs.

#include <cmath>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace demo {
namespace {

// x, out: [.., n]; any strides.
void RmsNorm(sy::Call, const sy::Tensor& out, const sy::Tensor& x, double eps) {
  const sy::Tensor source = sy::contiguous(x);
  const int64_t n = x.sizes().back(), rows = x.numel() / n;
  sy::VisitDType<sy::kFloatingTypes>(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const sy::Tensor target =
        out.is_contiguous() ? out
                            : sy::empty_like(x, {}, {}, {}, {}, sy::MemoryFormat::kContiguous);
    const T* from = source.data<T>();
    T* to = target.data<T>();
    for (int64_t row = 0; row < rows; ++row, from += n, to += n) {
      double squares = 0;
      for (int64_t i = 0; i < n; ++i)
        squares += static_cast<double>(from[i]) * static_cast<double>(from[i]);
      const double scale = 1 / std::sqrt(squares / static_cast<double>(n) + eps);
      for (int64_t i = 0; i < n; ++i) to[i] = static_cast<T>(static_cast<double>(from[i]) * scale);
    }
    if (!target.is_same(out)) sy::copy_(out, target);
  });
}

const sy::Kernel rms_norm{"demo::rms_norm", "cpu", sy::kFloatingTypes, RmsNorm};

}  // namespace
}  // namespace demo
