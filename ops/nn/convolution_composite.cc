// conv1d … conv_transpose3d by convolution: unbatched input, and padding given by name.

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "switchyard/core/checked.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/nn/window.h"

namespace sy {
namespace {

constexpr ::std::array<int64_t, 1> kZero = {0};

// input as a batch, which it may not be; f(batch) gives the result.
template <class F>
Tensor Batched(Call call, const Tensor& input, const Tensor& weight, int64_t dims, F f) {
  if (weight.dim() != dims + 2 || (input.dim() != dims + 1 && input.dim() != dims + 2)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected input of ", dims + 1, " or ", dims + 2, " dimensions and weight of ", dims + 2,
          ", got sizes ", input.sizes(), " and ", weight.sizes()});
  }
  if (input.dim() == dims + 2) return f(input);
  return squeeze(f(unsqueeze(input, 0)), 0);
}

template <int kDims>
Tensor Conv(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias,
            IntSpan stride, IntSpan padding, IntSpan dilation, int64_t groups) {
  return Batched(call, input, weight, kDims, [&](const Tensor& x) {
    return convolution(x, weight, bias, stride, padding, dilation, false, kZero, groups);
  });
}

// x with one more zero behind in each dimension d where more[d] says so.
Tensor PaddedBehind(Call call, const Tensor& x, const ::std::vector<int64_t>& more) {
  ::std::vector<int64_t> sizes(x.sizes().begin(), x.sizes().end());
  for (size_t d = 0; d < more.size(); ++d)
    sizes[d + 2] = CheckedSum(call, "the padded size", sizes[d + 2], more[d]);
  const Tensor padded = new_zeros(x, sizes);
  Tensor inside = padded;
  for (size_t d = 0; d < more.size(); ++d)
    inside = narrow(inside, static_cast<int64_t>(d) + 2, 0, x.sizes()[d + 2]);
  copy_(inside, x);
  return padded;
}

template <int kDims>
Tensor ConvNamed(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias,
                 IntSpan stride, ::std::string_view padding, IntSpan dilation, int64_t groups) {
  if (padding != "valid" && padding != "same") {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"padding must be 'valid' or 'same', got '", padding, "'"});
  }
  return Batched(call, input, weight, kDims, [&](const Tensor& x) {
    if (padding == "valid")
      return convolution(x, weight, bias, stride, kZero, dilation, false, kZero, groups);
    if (::std::any_of(stride.begin(), stride.end(), [](int64_t s) { return s != 1; })) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"padding 'same' needs strides of 1, got ", stride});
    }
    if (dilation.size() != 1 && dilation.size() != kDims) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"dilation must have 1 or ", kDims, " entries, got ", dilation});
    }
    ::std::vector<int64_t> before(kDims), more(kDims);
    bool uneven = false;
    for (size_t d = 0; d < kDims; ++d) {
      const int64_t spread = dilation[dilation.size() == 1 ? 0 : d];
      const int64_t total = ::std::max<int64_t>(0, WindowExtent(weight.sizes()[d + 2], spread) - 1);
      before[d] = total / 2;
      more[d] = total % 2;
      uneven = uneven || more[d] != 0;
    }
    return convolution(uneven ? PaddedBehind(call, x, more) : x, weight, bias, stride, before,
                       dilation, false, kZero, groups);
  });
}

template <int kDims>
Tensor ConvTranspose(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias,
                     IntSpan stride, IntSpan padding, IntSpan output_padding, int64_t groups,
                     IntSpan dilation) {
  return Batched(call, input, weight, kDims, [&](const Tensor& x) {
    return convolution(x, weight, bias, stride, padding, dilation, true, output_padding, groups);
  });
}

const Composite conv1d_body{"conv1d", Conv<1>};
const Composite conv2d_body{"conv2d", Conv<2>};
const Composite conv3d_body{"conv3d", Conv<3>};
const Composite conv1d_padding_body{"conv1d.padding", ConvNamed<1>};
const Composite conv2d_padding_body{"conv2d.padding", ConvNamed<2>};
const Composite conv3d_padding_body{"conv3d.padding", ConvNamed<3>};
const Composite conv_transpose1d_body{"conv_transpose1d", ConvTranspose<1>};
const Composite conv_transpose2d_body{"conv_transpose2d.input", ConvTranspose<2>};
const Composite conv_transpose3d_body{"conv_transpose3d.input", ConvTranspose<3>};

}  // namespace
}  // namespace sy
