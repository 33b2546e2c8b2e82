// instance_norm by batch_norm, samples being channels.
#include <vector>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor InstanceNorm(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias,
                    const Tensor& running_mean, const Tensor& running_var, bool use_input_stats,
                    double momentum, double eps, bool cudnn_enabled) {
  const auto fail = [&](::std::initializer_list<Piece> pieces) {
    Fail(ErrorCode::kInvalidArgument, call.op(), pieces);
  };
  if (!use_input_stats && !(running_mean.defined() && running_var.defined()))
    fail({"expected running_mean and running_var unless use_input_stats"});
  if (input.dim() < 2) fail({"input must have at least 2 dimensions, got sizes ", input.sizes()});
  const int64_t n = input.size(0), c = input.size(1);
  const auto repeated = [&](const Tensor& t, ::std::string_view name) {
    if (!t.defined()) return t;
    if (t.dim() != 1 || t.numel() != c)
      fail({name, " must be a vector of ", c, " elements, got sizes ", t.sizes()});
    return view(clone(expand(t, {n, c}), MemoryFormat::kContiguous), {n * c});
  };
  ::std::vector<int64_t> sizes(input.sizes().begin(), input.sizes().end());
  sizes[0] = 1;
  sizes[1] = n * c;
  const Tensor w = repeated(weight, "weight"), b = repeated(bias, "bias"),
               means = repeated(running_mean, "running_mean"),
               variances = repeated(running_var, "running_var");
  const Tensor out = batch_norm(view(contiguous(input), sizes), w, b, means, variances,
                                use_input_stats, momentum, eps, cudnn_enabled);
  if (use_input_stats && n != 0) {
    const auto update = [&](const Tensor& to, const Tensor& from) {
      if (to.defined()) copy_(to, mean(view(from, {n, c}), {0}));
    };
    update(running_mean, means);
    update(running_var, variances);
  }
  return view(out, input.sizes());
}
const Composite instance_norm_body{"instance_norm", InstanceNorm};

}  // namespace
}  // namespace sy
