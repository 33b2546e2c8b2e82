// Each group of channels of each sample, brought to mean 0 and variance 1, then scaled and shifted
// channel by channel.
//   input: [n, c, ..], floating; weight, bias: [c] or absent, of input's dtype, or float32 for
//   16-bit floats; num_groups divides c   →   like input
// native_group_norm is told the sizes, n c hxw elements, and also gives mean and 1 / sqrt(variance
// + eps), [n, group].
// Errors: kInvalidArgument for fewer than 2 dimensions, sizes that are others, groups that do not
// divide the channels, or weight or bias of other sizes or dtype; kNotImplemented for other dtypes
// of input.
// Example: sy::group_norm(x, 1)
// Source: ATen group_norm, native_group_norm.
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

void NativeGroupNormShape(ShapeContext& r, const TensorBase& input, const TensorBase& weight,
                          const TensorBase& bias, int64_t n, int64_t c, int64_t hxw, int64_t group,
                          double /*eps*/) {
  RequireDType(r, input, kFloatingTypes, "input");
  int64_t count = 0;
  const bool overflow =
      __builtin_mul_overflow(n, c, &count) || __builtin_mul_overflow(count, hxw, &count);
  if (n < 0 || c < 0 || hxw < 0 || overflow || input.numel() != count) {
    r.Fail({"input must have N C HxW = ", n, " ", c, " ", hxw, " elements, got sizes ",
            input.sizes()});
  }
  if (group <= 0 || c % group != 0)
    r.Fail({"group must be positive and divide the ", c, " channels, got ", group});
  const auto require = [&](const TensorBase& t, std::string_view name) {
    if (!t.defined()) return;
    if (t.dim() != 1 || t.numel() != c)
      r.Fail({name, " must be a vector of ", c, " elements, got sizes ", t.sizes()});
    RequireParameterDType(r, input, t, name);
  };
  require(weight, "weight");
  require(bias, "bias");
  const DType d = weight.defined() ? weight.dtype() : bias.defined() ? bias.dtype() : input.dtype();
  OutputInFormat(r, input.sizes(), input.dtype(), input.suggest_memory_format());
  r.Output({n, group}, d);
  r.Output({n, group}, d);
}

}  // namespace

const Operator group_norm_op{
    "group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float "
    "eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> Tensor",
    GroupNormShape};
const Operator native_group_norm_op{
    "native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, "
    "int group, float eps) -> (Tensor, Tensor, Tensor)",
    Outputs<3>(NativeGroupNormShape),
    Out("native_group_norm.out(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, "
        "SymInt HxW, int group, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) "
        "-> (Tensor(a!), Tensor(b!), Tensor(c!))") |
        Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
