// Numbers as integers and back, in one pass: by loops of vectors for 8 bits with whole zero points,
// else one by one.
#include <vector>

#include "backends/cpu/kernels/quantized/affine.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/backends/cpu/quantized/lanes.h"
#include "switchyard/op/kernel.h"
#include "switchyard/op/layout_kernel.h"
#include "switchyard/ops/quantized/layers.h"

namespace sy::cpu {
namespace {

// Scales as numbers are multiplied or divided by them, and zero points, of every channel.
struct Channels {
  std::vector<float> scales, inverses;
  std::vector<int64_t> zeros;
  std::vector<int32_t> narrow_zeros;  // of what 8 bits hold
  std::vector<float> real_zeros;      // where zero points are floating

  explicit Channels(const Quantizer& by) {
    if (!by.per_channel()) {
      scales = {static_cast<float>(by.scale)};
      zeros = {by.zero_point};
    } else {
      const auto n = static_cast<size_t>(by.scales.numel());
      const Tensor s = Dense(by.scales, DType::kFloat32);
      scales.assign(s.data<float>(), s.data<float>() + n);
      if (by.float_zero_points()) {
        const auto* z = by.zero_points.data<float>();
        real_zeros.assign(z, z + n);
      } else {
        const auto* z = by.zero_points.data<int64_t>();
        zeros.assign(z, z + n);
      }
    }
    for (const float s : scales) inverses.push_back(1.0f / s);
    for (const int64_t z : zeros) narrow_zeros.push_back(static_cast<int32_t>(z));
  }
};

// Floating zero points are added before rounding.
template <class T>
T IntegerOf(float number, const Channels& by, size_t c) {
  const float steps = number * by.inverses[c];
  if (by.real_zeros.empty()) return IntegerFor<T>(steps, by.zeros[c]);
  return IntegerFor<T>(steps + by.real_zeros[c], 0);
}
template <class T>
float NumberOf(T integer, const Channels& by, size_t c) {
  const float steps = by.real_zeros.empty() ? static_cast<float>(int64_t{integer} - by.zeros[c])
                                            : static_cast<float>(integer) - by.real_zeros[c];
  return steps * by.scales[c];
}
template <class T>
bool HasLoops(const Channels& by) {
  return sizeof(T) == 1 && by.real_zeros.empty();
}

// self: float32, on the cpu.
Tensor Quantized(const Tensor& self, const Quantizer& quantizer, DType dtype) {
  const Tensor x = WithoutGaps(self), out = EmptyAs(x, dtype);
  if (x.numel() == 0) return MakeQuantized(out, quantizer);
  const Channels by(quantizer);
  VisitDType<kQuantizedTypes>(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto* from = x.data<float>();
    T* to = out.data<T>();
    ForEachSegment(SegmentsOf(x, quantizer),
                   [&](int64_t first, int64_t last, int64_t c, bool each) {
                     if constexpr (sizeof(T) == 1) {
                       if (HasLoops<T>(by)) {
                         return ActiveQuantized<T>().quantize(
                             to + first, from + first, last - first,
                             {by.inverses.data() + c, by.narrow_zeros.data() + c, each});
                       }
                     }
                     for (int64_t i = first; i < last; ++i, c += each)
                       to[i] = IntegerOf<T>(from[i], by, static_cast<size_t>(c));
                   });
  });
  return MakeQuantized(out, quantizer);
}

Tensor PerTensor(Call call, const Tensor& self, double scale, int64_t zero_point, DType dtype) {
  RequireQuantizedType(call.op(), dtype);
  RequireZeroPoint(call.op(), "zero_point", zero_point, dtype);
  return Quantized(self, Quantizer(scale, zero_point), dtype);
}
Tensor PerChannel(Call call, const Tensor& self, const Tensor& scales, const Tensor& zero_points,
                  int64_t axis, DType dtype) {
  RequireQuantizedType(call.op(), dtype);
  RequireAlongAxis(call.op(), self, scales, zero_points, axis);
  const bool real = IsFloating(zero_points.dtype());
  const Quantizer by(Dense(scales, real ? DType::kFloat32 : DType::kFloat64),
                     Dense(zero_points, real ? DType::kFloat32 : DType::kInt64), axis);
  for (int64_t c = 0; !real && c < by.zero_points.numel(); ++c)
    RequireZeroPoint(call.op(), "zero_points", by.zero_points.at<int64_t>(c), dtype);
  return Quantized(self, by, dtype);
}

Tensor Dequantize(Call, const Tensor& self) {
  const Quantizer& quantizer = *FindQuantizer(self);
  const Tensor x = WithoutGaps(IntegersOf(self)), out = EmptyAs(x, DType::kFloat32);
  if (x.numel() == 0) return out;
  const Channels by(quantizer);
  VisitDType<kQuantizedTypes>(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* from = x.data<T>();
    auto* to = out.data<float>();
    ForEachSegment(SegmentsOf(x, quantizer),
                   [&](int64_t first, int64_t last, int64_t c, bool each) {
                     if constexpr (sizeof(T) == 1) {
                       if (HasLoops<T>(by)) {
                         return ActiveQuantized<T>().dequantize(
                             to + first, from + first, last - first,
                             {by.scales.data() + c, by.narrow_zeros.data() + c, each});
                       }
                     }
                     for (int64_t i = first; i < last; ++i, c += each)
                       to[i] = NumberOf(from[i], by, static_cast<size_t>(c));
                   });
  });
  return out;
}

const Kernel per_tensor{"quantize_per_tensor", "cpu", Bit(DType::kFloat32), PerTensor};
const Kernel per_channel{"quantize_per_channel", "cpu", Bit(DType::kFloat32), PerChannel};
const LayoutKernel dequantize_kernel{"dequantize.self", kQuantized, Dequantize, "cpu"};

}  // namespace
}  // namespace sy::cpu
