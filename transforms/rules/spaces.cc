// Rules of numbers at equal distances between two, which may be tensors of one element.
#include <cstdint>

#include "transforms/rules/shared_internal.h"

namespace sy::transforms {
namespace {

Tensor AsTensor(const Tensor& t) { return t; }
Tensor AsTensor(const Scalar& s) {
  return full(IntSpan(), s, s.is_complex() ? DType::kComplex128 : DType::kFloat64);
}

// From both ends to the middle, as the kernel counts.
Tensor Between(const Tensor& start, const Tensor& end, int64_t steps) {
  const bool is_complex = IsComplex(start.dtype()) || IsComplex(end.dtype());
  const DType wide = is_complex ? DType::kComplex128 : DType::kFloat64;
  const Tensor from = unsqueeze(to(start, wide), -1), until = unsqueeze(to(end, wide), -1);
  const Tensor i = arange(steps, DType::kFloat64, std::nullopt, start.device());
  if (steps < 2) return add(from, mul(i, 0));
  const Tensor step = div(sub(until, from), steps - 1);
  const Tensor low = add(from, mul(step, i)), high = sub(until, mul(step, rsub(i, steps - 1)));
  return where(lt(i, steps / 2), low, high);
}
DType TypeOf(Optional<DType> dtype, const Tensor& numbers) {
  if (dtype) return *dtype;
  if (!IsComplex(numbers.dtype())) return DefaultDType();
  return DefaultDType() == DType::kFloat64 ? DType::kComplex128 : DType::kComplex64;
}

template <class Start, class End>
Tensor Linspace(Start start, End end, int64_t steps, Optional<DType> dtype, Optional<Layout>,
                Optional<Device> device, Optional<bool>) {
  Tensor numbers = Between(AsTensor(start), AsTensor(end), steps);
  if (device) numbers = to(numbers, *device, numbers.dtype());
  return to(numbers, TypeOf(dtype, numbers));
}
template <class Start, class End>
Tensor Logspace(Start start, End end, int64_t steps, double base, Optional<DType> dtype,
                Optional<Layout>, Optional<Device> device, Optional<bool>) {
  Tensor numbers = pow(Scalar(base), Between(AsTensor(start), AsTensor(end), steps));
  if (device) numbers = to(numbers, *device, numbers.dtype());
  return to(numbers, TypeOf(dtype, numbers));
}
using T = const Tensor&;
using S = const Scalar&;
const Batching lin_tensors{"linspace.Tensor_Tensor", Decomposed(Linspace<T, T>)};
const Batching lin_start{"linspace.Tensor_Scalar", Decomposed(Linspace<T, S>)};
const Batching lin_end{"linspace.Scalar_Tensor", Decomposed(Linspace<S, T>)};
const Batching log_tensors{"logspace.Tensor_Tensor", Decomposed(Logspace<T, T>)};
const Batching log_start{"logspace.Tensor_Scalar", Decomposed(Logspace<T, S>)};
const Batching log_end{"logspace.Scalar_Tensor", Decomposed(Logspace<S, T>)};

}  // namespace
}  // namespace sy::transforms
