#include <algorithm>
#include <cmath>
#include <vector>

#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace loops {
extern const ReduceSet moments;
}
namespace {

// squares: sum of squared deviations of `count` elements; fewer than `correction` count as 0.
double Deviation(double squares, int64_t count, double correction) {
  return std::sqrt(squares / std::max(0.0, static_cast<double>(count) - correction));
}

void Root(void* const* s, const DType*, int64_t n, int64_t count, double correction) {
  double* squares = static_cast<double*>(s[1]);
  for (int64_t i = 0; i < n; ++i) squares[i] = Deviation(squares[i], count, correction);
}

// The squared deviations of real and imaginary parts add up. Parts: an inner dimension of 2.
void ComplexStd(DType dtype, const Tensor& out, const Tensor& self, uint64_t mask, double c) {
  const uint64_t own = (uint64_t{1} << self.dim()) - 1;
  std::vector<int64_t> sizes(self.sizes().begin(), self.sizes().end()), strides, left;
  int64_t count = 1;
  for (int64_t d = 0; d < self.dim(); ++d) {
    const bool reduced = (mask >> d & 1) != 0;
    if (reduced) count *= sizes[d];
    left.push_back(reduced ? 1 : sizes[d]);
    strides.push_back(2 * self.strides()[d]);
  }
  sizes.push_back(2);
  left.push_back(2);
  strides.push_back(1);
  const Tensor parts = Tensor::FromBlob(self.data(), sizes, strides, RealType(self.dtype()));
  const Tensor squares = Tensor::Empty(left, DType::kFloat64);
  Reduce(loops::moments, RealType(dtype), parts, mask & own, {{&squares, 1}});
  double* s = squares.data<double>();
  for (int64_t i = 0; i < out.numel(); ++i) s[i] = Deviation(s[2 * i] + s[2 * i + 1], count, c);
  CopyElements(out, Tensor::FromBlob(s, out.sizes(), DType::kFloat64));
}

void Std(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim,
         const std::optional<Scalar>& correction, bool) {
  const double c = correction ? correction->To<double>() : 1;
  const uint64_t mask = DimMask(self, dim);
  if (IsComplex(call.dtype())) return ComplexStd(call.dtype(), out, self, mask, c);
  Reduce(loops::moments, call.dtype(), self, mask, {{&out, 1}}, {Root, c});
}

const Kernel kernel{"std.correction", "cpu",
                    kFloatingTypes | kComplexTypes | Bit(DType::kComplex32), Std};

}  // namespace
}  // namespace sy::cpu
