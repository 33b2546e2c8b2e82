#include <algorithm>

#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

Tensor As(const Tensor& t, DType dtype) {
  Tensor copy = Tensor::Empty(t.sizes(), dtype);
  CopyElements(copy, t);
  return copy;
}

template <class T>
void Count(T* to, const int64_t* x, const T* weights, int64_t n) {
  for (int64_t i = 0; i < n; ++i) to[x[i]] += weights == nullptr ? T(1) : weights[i];
}

Tensor Bincount(Call call, const Tensor& self, const Tensor& weights, int64_t minlength) {
  RequireBincount(call, self, weights, minlength);
  const Tensor numbers = As(self, DType::kInt64);
  const int64_t *x = numbers.data<int64_t>(), n = numbers.numel();
  int64_t length = minlength;
  if (n != 0) {
    const auto [least, greatest] = std::minmax_element(x, x + n);
    length = BincountLength(call, *least, *greatest, minlength);
  }
  const DType dtype = !weights.defined() || n == 0         ? DType::kInt64
                      : weights.dtype() == DType::kFloat32 ? DType::kFloat32
                                                           : DType::kFloat64;
  Tensor out = Tensor::Empty({length}, dtype);
  FillElements(out, 0);
  if (dtype == DType::kInt64) {
    Count<int64_t>(out.data<int64_t>(), x, nullptr, n);
  } else if (dtype == DType::kFloat32) {
    const Tensor w = As(weights, dtype);
    Count(out.data<float>(), x, w.data<float>(), n);
  } else {
    const Tensor w = As(weights, dtype);
    Count(out.data<double>(), x, w.data<double>(), n);
  }
  return out;
}

const Kernel kernel{"bincount", "cpu", kIntegerTypes, Bincount};

}  // namespace
}  // namespace sy::cpu
