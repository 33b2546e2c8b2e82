#include "quantized.h"

namespace xnnpack {

Channels ChannelsOf(Tensor scales, Tensor bias, float x_scale) {
  Channels made;
  const int64_t n = scales.numel();
  for (int64_t c = 0; c < n; ++c) {
    const float scale = scales.data<float>()[c * scales.stride(0)];
    if (!std::isnormal(scale) || scale < 0) {
      throw Error(SY_E_INVALID_VALUE, "weight_scale must be positive, got " +
                                          std::to_string(scale) + " at [" + std::to_string(c) +
                                          "]");
    }
    made.scales.push_back(scale);
    if (!bias.defined()) continue;
    const float b = bias.data<float>()[c * bias.stride(0)] / (x_scale * scale);
    if (std::isnan(b)) {
      throw Error(SY_E_INVALID_VALUE, "bias is NaN at [" + std::to_string(c) + "]");
    }
    // The largest float below 2^31.
    made.bias.push_back(static_cast<int32_t>(std::lrint(std::clamp(b, -0x1p31f, 0x1.fffffep30f))));
  }
  return made;
}

// As xnn_init_qs8_add_minmax_*_params has it: the larger factor gets 21 bits.
SumNumbers SumNumbersOf(float a_scale, float b_scale, float out_scale) {
  const float a = a_scale / out_scale, b = b_scale / out_scale;
  for (float ratio : {a, b})
    if (!(ratio >= 0x1p-10f && ratio < 0x1p8f)) throw Declined("scales that are too far apart");
  const int shift = 20 - std::ilogb(std::max(a, b));
  return {static_cast<int32_t>(std::lrint(std::ldexp(a, shift))),
          static_cast<int32_t>(std::lrint(std::ldexp(b, shift))), shift};
}

}  // namespace xnnpack
