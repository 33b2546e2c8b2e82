// The kernels of demo::rms_norm for the cpu device, one a dtype. 16-bit floats compute in float.

#include <cmath>
#include <type_traits>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace demo {
namespace {

// One row of n elements.
template <class T>
void Normalise(const T* x, const T* weight, T* y, int64_t n, double eps) {
  using Compute = std::conditional_t<sizeof(T) == 2, float, T>;
  Compute squares = 0;
  for (int64_t j = 0; j < n; ++j) squares += Compute(x[j]) * Compute(x[j]);
  const Compute scale = 1 / std::sqrt(squares / Compute(n) + Compute(eps));
  for (int64_t j = 0; j < n; ++j) y[j] = T(Compute(x[j]) * scale * Compute(weight[j]));
}

// Arguments are checked and `out` is allocated; all of them may have any strides.
template <class T>
void RmsNorm(sy::Call, const sy::Tensor& out, const sy::Tensor& x, const sy::Tensor& weight,
             double eps) {
  const sy::Tensor rows = sy::contiguous(x), weights = sy::contiguous(weight);
  const sy::Tensor results =
      out.is_contiguous() ? out
                          : sy::empty_like(out, {}, {}, {}, {}, sy::MemoryFormat::kContiguous);
  const int64_t n = x.sizes().back();
  for (int64_t at = 0; at < x.numel(); at += n)
    Normalise(rows.data<T>() + at, weights.data<T>(), results.data<T>() + at, n, eps);
  if (!results.is_same(out)) sy::copy_(out, results);
}

const sy::Kernel kernels[] = {
    {"demo::rms_norm", "cpu", sy::Bit(sy::DType::kFloat32), RmsNorm<float>},
    {"demo::rms_norm", "cpu", sy::Bit(sy::DType::kFloat64), RmsNorm<double>},
    {"demo::rms_norm", "cpu", sy::Bit(sy::DType::kBFloat16), RmsNorm<sy::BFloat16>},
    {"demo::rms_norm", "cpu", sy::Bit(sy::DType::kFloat16), RmsNorm<sy::Half>},
};

}  // namespace
}  // namespace demo
