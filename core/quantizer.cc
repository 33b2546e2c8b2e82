#include "switchyard/core/quantizer.h"

#include <memory>
#include <vector>

#include "switchyard/core/transfer.h"
#include "switchyard/core/view_as.h"

namespace sy {

Quantizer::~Quantizer() = default;

std::string_view QuantizedName(DType integers) {
  return integers == DType::kUInt8 ? "quint8" : integers == DType::kInt8 ? "qint8" : "qint32";
}

std::string_view Quantizer::scheme() const {
  if (!per_channel()) return "per_tensor_affine";
  return float_zero_points() ? "per_channel_affine_float_qparams" : "per_channel_affine";
}

Tensor MakeQuantized(const Tensor& integers, const Quantizer& quantizer) {
  const Tensor t = ViewAs(integers, integers.dtype(), integers.sizes(), integers.strides(),
                          integers.storage_offset());
  t.impl()->key = (t.key() & kPlaceMask) | kQuantizedBit;
  Attach(t, std::make_unique<Quantizer>(quantizer));
  return t;
}

const Quantizer* FindQuantizer(const TensorBase& t) {
  if (!t.is_quantized()) return nullptr;
  return Attached<Quantizer>(t);
}

Tensor IntegersOf(const Tensor& q) {
  const Tensor t = ViewAs(q, q.dtype(), q.sizes(), q.strides(), q.storage_offset());
  t.impl()->key &= kPlaceMask;
  return t;
}

Tensor NumbersOnHost(const Tensor& q) {
  const Quantizer& by = *FindQuantizer(q);
  const Tensor integers = ToHost(IntegersOf(q)), out = Tensor::Empty(q.sizes(), DType::kFloat32);
  const Tensor scales = ToHost(by.scales), zeros = ToHost(by.zero_points);
  auto* to = out.data<float>();
  std::vector<int64_t> at(q.sizes().size());
  VisitDType<kQuantizedTypes>(q.dtype(), [&](auto tag) {
    const auto* from = integers.data<typename decltype(tag)::type>();
    for (int64_t i = 0; i < q.numel(); ++i) {
      int64_t offset = 0;
      for (size_t d = 0; d < at.size(); ++d) offset += at[d] * integers.strides()[d];
      const auto n = static_cast<int64_t>(from[offset]);
      const int64_t c = by.per_channel() ? at[static_cast<size_t>(by.axis)] : 0;
      if (by.float_zero_points()) {
        to[i] = (static_cast<float>(n) - zeros.at<float>(c)) * scales.at<float>(c);
      } else if (by.per_channel()) {
        to[i] =
            static_cast<float>(n - zeros.at<int64_t>(c)) * static_cast<float>(scales.at<double>(c));
      } else {
        to[i] = static_cast<float>(n - by.zero_point) * static_cast<float>(by.scale);
      }
      for (size_t d = at.size(); d > 0 && ++at[d - 1] == q.sizes()[d - 1]; --d) at[d - 1] = 0;
    }
  });
  return out;
}

}  // namespace sy
