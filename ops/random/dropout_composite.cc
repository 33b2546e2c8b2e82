// dropout by mul with noise.

#include <optional>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void RequireProbability(Call call, double p) {
  if (!(p >= 0 && p <= 1))
    Fail(ErrorCode::kInvalidArgument, call.op(), {"p must be 0 to 1, got ", p});
}
// Ones with probability 1 - p, divided by it, and zeros.
Tensor Noise(const Tensor& input, double p) {
  Tensor noise = empty_like(input);
  bernoulli_(noise, 1 - p);
  return div_(noise, 1 - p);
}
Tensor Dropout(Call call, const Tensor& input, double p, bool train) {
  RequireProbability(call, p);
  if (p == 0 || !train || input.numel() == 0) return input;
  if (p == 1) return mul(input, zeros({}, input.dtype(), std::nullopt, input.device()));
  return mul(input, Noise(input, p));
}
void DropoutInPlace(Call call, const Tensor& self, double p, bool train) {
  RequireProbability(call, p);
  if (p == 0 || !train || self.numel() == 0) return;
  if (p == 1) {
    mul_(self, zeros({}, self.dtype(), std::nullopt, self.device()));
  } else {
    mul_(self, Noise(self, p));
  }
}
const Composite dropout_body{"dropout", Dropout};
const Composite dropout_in_place_body{"dropout_", DropoutInPlace};

}  // namespace
}  // namespace sy
