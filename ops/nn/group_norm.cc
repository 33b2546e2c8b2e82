// Each group of channels of each sample, brought to mean 0 and variance 1, then scaled and shifted
// channel by channel.
//   input: [n, c, ..], floating; weight, bias: [c] or absent, of input's dtype, or float32 for
//   16-bit floats; num_groups divides c   →   like input
// Errors: kInvalidArgument for fewer than 2 dimensions, groups that do not divide the channels, or
// weight or bias of other sizes or dtype; kNotImplemented for other dtypes of input.
// Example: sy::group_norm(x, 1)
// Source: ATen group_norm.
#include "switchyard/ops/nn/channels.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void GroupNormShape(ShapeContext& r, const TensorBase& input, int64_t num_groups,
                    const TensorBase& weight, const TensorBase& bias, double /*eps*/,
                    bool /*cudnn_enabled*/) {
  if (input.dim() < 2) r.Fail({"input must have at least 2 dimensions, got ", input.sizes()});
  const int64_t channels = input.sizes()[1];
  if (num_groups <= 0 || channels % num_groups != 0) {
    r.Fail(
        {"num_groups must be positive and divide the ", channels, " channels, got ", num_groups});
  }
  RequireDType(r, input, kFloatingTypes, "input");
  RequireOnePerChannel(r, input, weight, "weight");
  RequireOnePerChannel(r, input, bias, "bias");
  OutputInFormat(r, input.sizes(), input.dtype(), input.suggest_memory_format());
}

}  // namespace

const Operator group_norm_op{
    "group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float "
    "eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> Tensor",
    GroupNormShape};

}  // namespace sy
