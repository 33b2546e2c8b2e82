// dropout by mul with noise.

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <vector>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void RequireProbability(Call call, double p) {
  if (!(p >= 0 && p <= 1))
    Fail(ErrorCode::kInvalidArgument, call.op(), {"p must be 0 to 1, got ", p});
}
// One number for each element, or for each channel of each sample.
Tensor RoomForNoise(Call call, const Tensor& input, bool feature) {
  if (!feature) return empty_like(input);
  if (input.dim() < 2) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"input must have at least 2 dimensions, got sizes ", input.sizes()});
  }
  ::std::vector<int64_t> sizes(input.sizes().begin(), input.sizes().end());
  ::std::fill(sizes.begin() + 2, sizes.end(), 1);
  return empty(sizes, input.dtype(), ::std::nullopt, input.device());
}

// What input is multiplied by, and what is added then, which is undefined unless `alpha`. Ones with
// probability 1 - p, divided by it, and zeros; or a for these, b beside them, so that mean and
// variance stay those of selu's results, whose least value is -kAlpha.
struct Noise {
  Tensor factor, shift;

  Noise(Call call, const Tensor& input, double p, bool feature, bool alpha)
      : factor(RoomForNoise(call, input, feature)) {
    bernoulli_(factor, 1 - p);
    if (!alpha) {
      div_(factor, 1 - p);
      return;
    }
    constexpr double kAlpha = 1.7580993408473766;  // selu's alpha times its scale
    const double a = 1 / ::std::sqrt((kAlpha * kAlpha * p + 1) * (1 - p));
    shift = add_(mul_(add(factor, -1), kAlpha * a), kAlpha * a * p);
    mul_(factor, a);
  }
};

template <bool kFeature, bool kAlpha>
Tensor Dropout(Call call, const Tensor& input, double p, bool train) {
  RequireProbability(call, p);
  if (p == 0 || !train || input.numel() == 0) return input;
  if (p == 1) return mul(input, zeros({}, input.dtype(), ::std::nullopt, input.device()));
  const Noise noise(call, input, p, kFeature, kAlpha);
  Tensor out = mul(input, noise.factor);
  if (kAlpha) add_(out, noise.shift);
  return out;
}
template <bool kFeature, bool kAlpha>
void DropoutInPlace(Call call, const Tensor& self, double p, bool train) {
  RequireProbability(call, p);
  if (p == 0 || !train || self.numel() == 0) return;
  if (p == 1) {
    mul_(self, zeros({}, self.dtype(), ::std::nullopt, self.device()));
    return;
  }
  const Noise noise(call, self, p, kFeature, kAlpha);
  mul_(self, noise.factor);
  if (kAlpha) add_(self, noise.shift);
}

::std::tuple<Tensor, Tensor> NativeDropout(Call call, const Tensor& input, double p,
                                           Optional<bool> train) {
  RequireProbability(call, p);
  if (input.numel() == 0) return {clone(input), empty_like(input)};
  if (!train.value_or(true)) return {clone(input), ones_like(input, DType::kBool)};
  Tensor mask = empty_like(input, DType::kBool);
  bernoulli_(mask, 1 - p);
  return {mul_(mul(input, mask), p == 1 ? 0 : 1 / (1 - p)), mask};
}

const Composite dropout_body{"dropout", Dropout<false, false>};
const Composite dropout_in_place_body{"dropout_", DropoutInPlace<false, false>};
const Composite feature_body{"feature_dropout", Dropout<true, false>};
const Composite feature_in_place_body{"feature_dropout_", DropoutInPlace<true, false>};
const Composite alpha_body{"alpha_dropout", Dropout<false, true>};
const Composite alpha_in_place_body{"alpha_dropout_", DropoutInPlace<false, true>};
const Composite feature_alpha_body{"feature_alpha_dropout", Dropout<true, true>};
const Composite feature_alpha_in_place_body{"feature_alpha_dropout_", DropoutInPlace<true, true>};
const Composite native_body{"native_dropout", NativeDropout};

}  // namespace
}  // namespace sy
