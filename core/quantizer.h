// Quantised tensors: integers that stand for numbers.
//
//   number = (integer - zero_point) * scale
//
//   Tensor q = quantize_per_tensor(x, 0.1, 10, DType::kUInt8);  // q.is_quantized()
//   FindQuantizer(q)->scale == 0.1;
//
// Such a tensor has the bytes of its integers and their dtype (uint8, int8 or int32: ATen's quint8,
// qint8 and qint32), kQuantizedBit in its key, and attached to it what the integers mean: one scale
// and zero point, or one for each position along an axis. Calls with it go to kernels of quantised
// tensors (dispatcher/layouts.h); operators that make and read such tensors are in ops/quantized.
// ATen has QTensorImpl and Quantizer.
// Owns: its scales and zero points.
// Threads: reading from any thread; operators in place may replace it, as a write.
// Errors: none here; scales are checked where tensors are made.
#ifndef SWITCHYARD_CORE_QUANTIZER_H_
#define SWITCHYARD_CORE_QUANTIZER_H_

#include <cstdint>
#include <string_view>

#include "switchyard/core/attachment.h"
#include "switchyard/core/tensor.h"

namespace sy {

// The dtypes that quantised numbers are stored in.
inline constexpr DTypeMask kQuantizedTypes = Mask(DType::kUInt8, DType::kInt8, DType::kInt32);
// "quint8", "qint8", "qint32": ATen's names of quantised tensors' dtypes.
SY_API std::string_view QuantizedName(DType integers);

// What is attached to a quantised tensor.
struct SY_API Quantizer : Attachment {
  static constexpr AttachmentKind kKind{"quantizer"};
  Quantizer(double s, int64_t z) : scale(s), zero_point(z) {}
  Quantizer(Tensor s, Tensor z, int64_t a)
      : axis(a), scales(std::move(s)), zero_points(std::move(z)) {}
  Quantizer(const Quantizer& q)
      : scale(q.scale),
        zero_point(q.zero_point),
        axis(q.axis),
        scales(q.scales),
        zero_points(q.zero_points) {}
  ~Quantizer() override;
  bool per_channel() const { return axis >= 0; }
  // Zero points are floating numbers.
  bool float_zero_points() const { return per_channel() && IsFloating(zero_points.dtype()); }
  // "per_tensor_affine", "per_channel_affine", "per_channel_affine_float_qparams".
  std::string_view scheme() const;

  double scale = 1;
  int64_t zero_point = 0;
  int64_t axis = -1;           // -1: one scale for all
  Tensor scales, zero_points;  // [size of the axis]: float64 and int64, or both float32
};

// A view of integers as what they stand for. integers: of kQuantizedTypes.
SY_API Tensor MakeQuantized(const Tensor& integers, const Quantizer& quantizer);
// Null of a tensor that is not quantised. Borrowed: as long as the tensor keeps it.
SY_API const Quantizer* FindQuantizer(const TensorBase& t);
// A view of the integers alone: it shares q's memory.
SY_API Tensor IntegersOf(const Tensor& q);
// The numbers, float32 on the host, row-major. q: on any device with bytes.
SY_API Tensor NumbersOnHost(const Tensor& q);

}  // namespace sy

#endif  // SWITCHYARD_CORE_QUANTIZER_H_
