// prelu by _prelu_kernel, with the weights along self's channels.

#include <vector>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Prelu(Call call, const Tensor& self, const Tensor& weight) {
  // A 0-d result of a 0-d self, whose weight may be of 1 dimension.
  if (weight.numel() == 1 && weight.dim() <= 1)
    return _prelu_kernel(self, self.dim() == 0 ? reshape(weight, IntSpan()) : weight);
  const int64_t channels = self.dim() > 1 ? self.sizes()[1] : 1;
  if (weight.dim() != 1 || weight.numel() != channels || self.dim() < 2) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"weight must have one element, or be [", channels, "], self's channels; got sizes ",
          weight.sizes()});
  }
  std::vector<int64_t> sizes(static_cast<size_t>(self.dim()), 1);
  sizes[1] = channels;
  return _prelu_kernel(self, reshape(weight, sizes));
}
const Composite prelu_body{"prelu", Prelu};

}  // namespace
}  // namespace sy
