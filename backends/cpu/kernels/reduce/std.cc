// Variances and standard deviations.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/backends/cpu/kernels/divide_by_count.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace loops {
extern const ReduceSet moments, sum;
}
namespace {

// squares: sum of squared deviations of `count` elements; fewer than `correction` count as 0.
template <bool kRoot>
double Deviation(double squares, int64_t count, double correction) {
  if (count == 0) return std::numeric_limits<double>::quiet_NaN();
  const double variance = squares / std::max(0.0, static_cast<double>(count) - correction);
  return kRoot ? std::sqrt(variance) : variance;
}

template <bool kRoot>
void Finish(void* const* s, const DType*, int64_t n, int64_t count, double correction) {
  double *mean = static_cast<double*>(s[0]), *squares = static_cast<double*>(s[1]);
  for (int64_t i = 0; i < n; ++i) {
    squares[i] = Deviation<kRoot>(squares[i], count, correction);
    if (count == 0) mean[i] = std::numeric_limits<double>::quiet_NaN();
  }
}

// The squared deviations of real and imaginary parts add up. Parts: an inner dimension of 2.
template <bool kRoot>
void OfComplex(DType dtype, const Tensor& out, const Tensor& self, uint64_t mask, double c) {
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
  for (int64_t i = 0; i < out.numel(); ++i)
    s[i] = Deviation<kRoot>(s[2 * i] + s[2 * i + 1], count, c);
  CopyElements(out, Tensor::FromBlob(s, out.sizes(), DType::kFloat64));
}

template <bool kRoot>
void Spread(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim,
            const std::optional<Scalar>& correction, bool) {
  const double c = correction ? correction->To<double>() : 1;
  const uint64_t mask = DimMask(dim);
  if (IsComplex(call.dtype())) return OfComplex<kRoot>(call.dtype(), out, self, mask, c);
  Reduce(loops::moments, call.dtype(), self, mask, {{&out, 1}}, {Finish<kRoot>, c});
}

template <bool kRoot>
void SpreadAndMean(Call call, const Tensor& out, const Tensor& mean, const Tensor& self,
                   std::optional<IntSpan> dim, const std::optional<Scalar>& correction,
                   bool keepdim) {
  const uint64_t mask = DimMask(dim);
  if (IsComplex(call.dtype())) {
    Spread<kRoot>(call, out, self, dim, correction, keepdim);
    const DType dtype = call.dtype() == DType::kComplex128 ? DType::kComplex128 : DType::kComplex64;
    return Reduce(loops::sum, dtype, self, mask, {{&mean, 0}}, {DivideByCount});
  }
  const double c = correction ? correction->To<double>() : 1;
  Reduce(loops::moments, call.dtype(), self, mask, {{&out, 1}, {&mean, 0}}, {Finish<kRoot>, c});
}

const Kernel std_kernel{"std.correction", "cpu", kInexactTypes, Spread<true>};
const Kernel var_kernel{"var.correction", "cpu", kInexactTypes, Spread<false>};
const Kernel std_mean_kernel{"std_mean.correction", "cpu", kInexactTypes, SpreadAndMean<true>};
const Kernel var_mean_kernel{"var_mean.correction", "cpu", kInexactTypes, SpreadAndMean<false>};

}  // namespace
}  // namespace sy::cpu
