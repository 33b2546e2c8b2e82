// Each channel, brought to mean 0 and variance 1 by its own statistics (training) or by running
// ones, then scaled and shifted: (x - mean) / sqrt(variance + eps) weight + bias. Training moves
// running_mean and running_var, where they are given, towards the statistics by `momentum`.
//   input: [n, c, ..], floating; the others: [c] or absent, of input's dtype, or float32 for 16-bit
//   floats   →   like input; the native forms also give mean and 1 / sqrt(variance + eps), [c],
//   which are empty unless training
// Errors: kInvalidArgument for fewer than 2 dimensions, vectors of other sizes or dtypes, and no
// running statistics where they are needed; kNotImplemented for other dtypes of input.
// Example: sy::native_batch_norm(x, {}, {}, {}, {}, true, 0.1, 1e-5)
// Source: ATen batch_norm, native_batch_norm, _native_batch_norm_legit, _batch_norm_with_update,
// _batch_norm_no_update, _native_batch_norm_legit_no_training.
#include "switchyard/ops/nn/channels.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void BatchNormShape(ShapeContext& r, const TensorBase& input, const TensorBase& weight,
                    const TensorBase& bias, const TensorBase& running_mean,
                    const TensorBase& running_var, bool training, double /*momentum*/,
                    double /*eps*/) {
  if (input.dim() < 2) r.Fail({"input must have at least 2 dimensions, got ", input.sizes()});
  RequireDType(r, input, kFloatingTypes, "input");
  const int64_t channels = input.sizes()[1];
  DType saved = input.dtype();
  const auto require = [&](const TensorBase& t, std::string_view name) {
    RequireOnePerChannel(r, input, t, name);
    if (t.defined()) saved = t.dtype();
  };
  require(weight, "weight");
  require(bias, "bias");
  require(running_mean, "running_mean");
  require(running_var, "running_var");
  if (running_mean.defined() != running_var.defined() || (!training && !running_mean.defined())) {
    r.Fail({"expected running_mean and running_var",
            training ? " both or neither" : " unless training", ", got ",
            running_mean.defined()  ? "running_mean alone"
            : running_var.defined() ? "running_var alone"
                                    : "neither"});
  }
  OutputInFormat(r, input.sizes(), input.dtype(), input.suggest_memory_format());
  r.Output({training ? channels : 0}, saved);
  r.Output({training ? channels : 0}, saved);
}

void NoStatsShape(ShapeContext& r, const TensorBase& input, const TensorBase& weight,
                  const TensorBase& bias, bool training, double momentum, double eps) {
  BatchNormShape(r, input, weight, bias, Tensor(), Tensor(), training, momentum, eps);
}

}  // namespace

// Kernels serve the two whose schemas say what is written: with running statistics and without.
const Operator native_batch_norm_legit_op{
    "_native_batch_norm_legit(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, "
    "Tensor(b!) running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
    Outputs<3>(BatchNormShape),
    Out("_native_batch_norm_legit.out(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) "
        "running_mean, Tensor(b!) running_var, bool training, float momentum, float eps, *, "
        "Tensor(d!) out, Tensor(e!) save_mean, Tensor(f!) save_invstd) -> (Tensor(d!), Tensor(e!), "
        "Tensor(f!))")};
const Operator native_batch_norm_no_stats_op{
    "_native_batch_norm_legit.no_stats(Tensor input, Tensor? weight, Tensor? bias, bool training, "
    "float momentum, float eps) -> (Tensor, Tensor, Tensor)",
    Outputs<3>(NoStatsShape),
    Out("_native_batch_norm_legit.no_stats_out(Tensor input, Tensor? weight, Tensor? bias, bool "
        "training, float momentum, float eps, *, Tensor(a!) out, Tensor(b!) save_mean, Tensor(c!) "
        "save_invstd) -> (Tensor(a!), Tensor(b!), Tensor(c!))")};
const Operator batch_norm_op{
    "batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? "
    "running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor",
    KeyRule::kFirst, Tags(OperatorTag::kMaybeAliasingOrMutating)};
const Operator native_batch_norm_op{
    "native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? "
    "running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
    KeyRule::kFirst, Tags(OperatorTag::kMaybeAliasingOrMutating)};
// Not derived: it has to check its outputs before the statistics move.
const Operator native_batch_norm_out_op{
    "native_batch_norm.out(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
    "Tensor? running_var, bool training, float momentum, float eps, *, Tensor(a!) out, Tensor(b!) "
    "save_mean, Tensor(c!) save_invstd) -> (Tensor(a!), Tensor(b!), Tensor(c!))",
    KeyRule::kFirst, Tags(OperatorTag::kMaybeAliasingOrMutating)};
const Operator batch_norm_with_update_op{
    "_batch_norm_with_update(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, "
    "Tensor(b!) running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor)",
    KeyRule::kFirst};
const Operator batch_norm_with_update_out_op{
    "_batch_norm_with_update.out(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) "
    "running_mean, Tensor(b!) running_var, float momentum, float eps, *, Tensor(d!) out, "
    "Tensor(e!) save_mean, Tensor(f!) save_invstd, Tensor(g!) reserve) -> (Tensor(d!), Tensor(e!), "
    "Tensor(f!), Tensor(g!))",
    KeyRule::kFirst};
// The same on copies of the statistics, which are given back.
const Operator batch_norm_with_update_functional_op{
    "_batch_norm_with_update_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor "
    "running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, "
    "Tensor, Tensor running_mean_out, Tensor running_var_out)",
    KeyRule::kFirst};
const Operator native_batch_norm_legit_functional_op{
    "_native_batch_norm_legit_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor "
    "running_mean, Tensor running_var, bool training, float momentum, float eps) -> (Tensor, "
    "Tensor, Tensor, Tensor running_mean_out, Tensor running_var_out)",
    KeyRule::kFirst};
// By running statistics, which stay as they are.
const Operator batch_norm_no_update_op{
    "_batch_norm_no_update(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
    "Tensor? running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor)",
    KeyRule::kFirst,
    Out("_batch_norm_no_update.out(Tensor input, Tensor? weight, Tensor? bias, Tensor? "
        "running_mean, Tensor? running_var, float momentum, float eps, *, Tensor(a!) out0, "
        "Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), "
        "Tensor(c!), Tensor(d!))") |
        Tags(OperatorTag::kSameDTypeOut)};
const Operator native_batch_norm_legit_no_training_op{
    "_native_batch_norm_legit_no_training(Tensor input, Tensor? weight, Tensor? bias, Tensor "
    "running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
    KeyRule::kFirst,
    Out("_native_batch_norm_legit_no_training.out(Tensor input, Tensor? weight, Tensor? bias, "
        "Tensor running_mean, Tensor running_var, float momentum, float eps, *, Tensor(a!) out0, "
        "Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))") |
        Tags(OperatorTag::kSameDTypeOut)};

}  // namespace sy
