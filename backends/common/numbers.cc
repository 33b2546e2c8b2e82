#include "switchyard/backends/common/numbers.h"

#include <cmath>
#include <complex>
#include <limits>

#include "switchyard/core/tensor_impl.h"

namespace sy {

Scalar Negative(const Scalar& s) {
  if (s.is_complex()) return Scalar(-s.To<std::complex<double>>());
  if (s.is_floating()) return Scalar(-s.To<double>());
  return Scalar(static_cast<int64_t>(-s.To<uint64_t>()));
}

Tensor NumberFor(DType d, const Scalar& s) {
  const DType of = s.dtype();
  const bool is_integer = of == DType::kInt64, is_real = is_integer || of == DType::kFloat64;
  if (!(d == DType::kInt64 ? is_integer
                           : is_real && (d == DType::kFloat32 || d == DType::kFloat64)))
    return NumberTensor(s);
  Tensor t(internal::NewContiguous(MakeKey(kHostRow, d), {}));
  void* const to = t.data();
  if (d == DType::kFloat32) {
    *static_cast<float*>(to) = s.To<float>();
  } else if (d == DType::kFloat64) {
    *static_cast<double*>(to) = s.To<double>();
  } else {
    *static_cast<int64_t*>(to) = s.To<int64_t>();
  }
  return t;
}

double LargestFinite(DType d) {
  switch (RealType(d)) {
    case DType::kFloat16:
      return 65504;
    case DType::kBFloat16:
      return 0x1.fep127;
    case DType::kFloat32:
      return std::numeric_limits<float>::max();
    default:
      return std::numeric_limits<double>::max();
  }
}

DType SearchDType(DType d) {
  if (Contains(kHalfTypes, d)) return DType::kFloat32;
  return IsIntegral(d, true) && d != DType::kInt64 ? DType::kInt32 : d;
}

double FourierScale(int64_t normalization, const Tensor& t, IntSpan dims) {
  if (normalization == 0) return 1;
  int64_t count = 1;
  for (const int64_t d : dims) count *= t.size(d);
  const auto n = static_cast<double>(count);
  return 1 / (normalization == 1 ? std::sqrt(n) : n);
}

}  // namespace sy
