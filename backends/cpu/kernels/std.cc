#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace loops {
extern const ReduceSet moments;
}
namespace {

// Of the sums of squares, the root of their mean; correction: ATen's, not below 0 elements.
void Root(void* const* s, const DType*, int64_t n, int64_t count, double correction) {
  const double divisor = std::max(0.0, static_cast<double>(count) - correction);
  double* squares = static_cast<double*>(s[1]);
  for (int64_t i = 0; i < n; ++i) squares[i] = std::sqrt(squares[i] / divisor);
}

void Std(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim,
         const std::optional<Scalar>& correction, bool) {
  const double c = correction ? correction->To<double>() : 1;
  Reduce(loops::moments, call.dtype(), self, DimMask(self, dim), {{&out, 1}}, {Root, c});
}

const Kernel kernel{"std.correction", "cpu", kFloatingTypes, Std};

}  // namespace
}  // namespace sy::cpu
