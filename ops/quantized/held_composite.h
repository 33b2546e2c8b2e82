// What bodies of quantised operators share: numbers made of integers, and integers of numbers.
#ifndef SWITCHYARD_OPS_QUANTIZED_HELD_COMPOSITE_H_
#define SWITCHYARD_OPS_QUANTIZED_HELD_COMPOSITE_H_

#include <cstdint>
#include <vector>

#include "switchyard/core/quantizer.h"
#include "switchyard/op/layout_kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/quantized/layers.h"

namespace sy {

// Numbers along an axis, as a tensor that broadcasts with `like`.
inline Tensor AlongAxis(const Tensor& numbers, const Tensor& like, int64_t axis) {
  std::vector<int64_t> sizes(static_cast<size_t>(like.dim()), 1);
  sizes[static_cast<size_t>(axis)] = numbers.sizes()[0];
  return view(numbers, sizes);
}

// What the integers of q stand for, float32.
inline Tensor NumbersOf(const Tensor& q) {
  const Quantizer& by = *FindQuantizer(q);
  const Tensor integers = IntegersOf(q);
  if (by.float_zero_points()) {
    return mul(sub(to(integers, DType::kFloat32), AlongAxis(by.zero_points, q, by.axis)),
               AlongAxis(by.scales, q, by.axis));
  }
  // Differences of int32 are exact in neither int32 nor float32.
  const DType exact = q.dtype() == DType::kInt32 ? DType::kInt64 : DType::kInt32;
  const Tensor wide = to(integers, exact);
  if (!by.per_channel()) {
    const Tensor steps = to(sub(wide, by.zero_point), DType::kFloat32);
    return mul(steps, static_cast<double>(static_cast<float>(by.scale)));
  }
  const Tensor zeros_along = AlongAxis(to(by.zero_points, exact), q, by.axis);
  return mul(to(sub(wide, zeros_along), DType::kFloat32),
             AlongAxis(to(by.scales, DType::kFloat32), q, by.axis));
}

// Steps, rounded to even, with the zero point added, within the dtype's range; NaN gives the
// highest of 8 bits and the lowest of 32. steps: numbers / scales.
inline Tensor IntegersFor(const Tensor& steps, const Tensor& zero_points, DType dtype) {
  const auto [low, high] = RangeOf(dtype);
  const bool wide = dtype == DType::kInt32;
  const Tensor rounded = round(wide ? to(steps, DType::kFloat64) : steps);
  const Tensor moved = add(rounded, to(zero_points, wide ? DType::kFloat64 : DType::kFloat32));
  const Tensor known = masked_fill(moved, isnan(moved), wide ? low : high);
  return to(clamp(known, low, high), dtype);
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_QUANTIZED_HELD_COMPOSITE_H_
