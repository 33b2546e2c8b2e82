#include <algorithm>

#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/registry/kernel.h"

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
  const bool empty = self.dim() == 1 && self.numel() == 0;
  if (minlength < 0) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): minlength must not be negative, got ", minlength});
  }
  if (self.dim() != 1)
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): self must be 1-d, got ", self.sizes()});
  if (weights.defined() && (weights.dim() != 1 || weights.numel() != self.numel())) {
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): weights must have self's sizes ",
                                       self.sizes(), ", got ", weights.sizes()});
  }
  const Tensor numbers = As(self, DType::kInt64);
  const int64_t *x = numbers.data<int64_t>(), n = numbers.numel();
  int64_t length = minlength;
  for (int64_t i = 0; i < n; ++i) {
    if (x[i] < 0) {
      Fail(ErrorCode::kInvalidValue,
           {call.op(), "(): numbers must not be negative, got ", x[i], " at ", i});
    }
    if (x[i] == INT64_MAX) {
      Fail(ErrorCode::kInvalidValue,
           {call.op(), "(): numbers must be below 2^63 - 1, got ", x[i], " at ", i});
    }
    length = std::max(length, x[i] + 1);
  }
  const DType dtype = !weights.defined() || empty          ? DType::kInt64
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
