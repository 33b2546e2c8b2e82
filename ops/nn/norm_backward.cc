#include "switchyard/ops/nn/norm_backward.h"

#include <initializer_list>

#include "switchyard/core/shape.h"

namespace sy {
namespace {

struct Checks {
  std::string_view op;

  [[noreturn]] void Invalid(std::initializer_list<Piece> pieces) const {
    Fail(ErrorCode::kInvalidArgument, op, pieces);
  }
  void RequireInput(const Tensor& grad_out, const Tensor& input, OutputMask mask) const {
    if (!Contains(kFloatingTypes, input.dtype())) {
      Fail(ErrorCode::kNotImplemented, op, {"input must be floating, got ", input.dtype()});
    }
    if (grad_out.dtype() != input.dtype())
      Invalid({"grad_out must be ", input.dtype(), " as input is, got ", grad_out.dtype()});
    if (!SameSizes(grad_out.sizes(), input.sizes()))
      Invalid({"grad_out must have input's sizes ", input.sizes(), ", got ", grad_out.sizes()});
    if (mask.size() != 3) Invalid({"output_mask must have 3 elements, got ", mask.size()});
  }
  void RequireStatistics(const Tensor& t, int64_t count, std::string_view name) const {
    if (!t.defined()) Invalid({name, " is undefined, expected ", count, " elements"});
    if (t.numel() != count || !Contains(kFloatingTypes, t.dtype())) {
      Invalid({name, " must have ", count, " floating elements, got sizes ", t.sizes(), " of ",
               t.dtype()});
    }
  }
  // The dtype of input, or float32 where that is a 16-bit float.
  void RequireParameter(const Tensor& input, const Tensor& t, IntSpan sizes,
                        std::string_view name) const {
    if (!t.defined()) return;
    if (!SameSizes(t.sizes(), sizes))
      Invalid({name, " must have sizes ", sizes, ", got ", t.sizes()});
    const bool mixed = Contains(kHalfTypes, input.dtype()) && t.dtype() == DType::kFloat32;
    if (t.dtype() != input.dtype() && !mixed)
      Invalid({name, " must be ", input.dtype(), " as input is, got ", t.dtype()});
  }
  void RequireGiven(bool asked, const Tensor& t, std::string_view name) const {
    if (asked && !t.defined())
      Invalid({"output_mask asks for the gradient of ", name, ", which is undefined"});
  }
};

Tensor LikeInFormat(const Tensor& t) {
  const MemoryFormat format = t.suggest_memory_format();
  if (format == MemoryFormat::kContiguous) return Tensor::Empty(t.sizes(), t.dtype(), t.device());
  int64_t strides[kMaxRank];
  FormatStrides(t.sizes(), format, strides);
  return Tensor::EmptyStrided(t.sizes(), {strides, t.sizes().size()}, t.dtype(), t.device());
}
Tensor Like(const Tensor& t) { return Tensor::Empty(t.sizes(), t.dtype(), t.device()); }

}  // namespace

Gradients LayerNormGradients(Call call, const Tensor& grad_out, const Tensor& input,
                             IntSpan normalized_shape, const Tensor& mean, const Tensor& rstd,
                             const Tensor& weight, const Tensor& bias, OutputMask output_mask) {
  const Checks check{call.op()};
  check.RequireInput(grad_out, input, output_mask);
  const size_t rank = input.sizes().size(), last = normalized_shape.size();
  if (last == 0 || last > rank || !SameSizes(input.sizes().last(last), normalized_shape)) {
    check.Invalid({"input must end with the sizes of normalized_shape ", normalized_shape,
                   ", at least one, got ", input.sizes()});
  }
  const int64_t rows = NumElements(input.sizes().first(rank - last));
  check.RequireStatistics(mean, rows, "mean");
  check.RequireStatistics(rstd, rows, "rstd");
  check.RequireParameter(input, weight, normalized_shape, "weight");
  check.RequireParameter(input, bias, normalized_shape, "bias");
  check.RequireGiven(output_mask[1], weight, "weight");
  check.RequireGiven(output_mask[2], bias, "bias");
  return {output_mask[0] ? Like(input) : Tensor(), output_mask[1] ? Like(weight) : Tensor(),
          output_mask[2] ? Like(bias) : Tensor()};
}

Gradients BatchNormGradients(Call call, const Tensor& grad_out, const Tensor& input,
                             const Tensor& weight, const Tensor& running_mean,
                             const Tensor& running_var, const Tensor& save_mean,
                             const Tensor& save_invstd, bool train, double /*eps*/,
                             OutputMask output_mask) {
  const Checks check{call.op()};
  check.RequireInput(grad_out, input, output_mask);
  if (input.dim() < 2)
    check.Invalid({"input must have at least 2 dimensions, got sizes ", input.sizes()});
  const int64_t channels = input.sizes()[1];
  check.RequireParameter(input, weight, {&channels, 1}, "weight");
  check.RequireStatistics(train ? save_mean : running_mean, channels,
                          train ? "save_mean" : "running_mean");
  check.RequireStatistics(train ? save_invstd : running_var, channels,
                          train ? "save_invstd" : "running_var");
  const DType d = weight.defined()         ? weight.dtype()
                  : running_mean.defined() ? running_mean.dtype()
                                           : input.dtype();
  const auto vector = [&](bool asked) {
    return asked ? Tensor::Empty({channels}, d, input.device()) : Tensor();
  };
  return {output_mask[0] ? LikeInFormat(input) : Tensor(), vector(output_mask[1]),
          vector(output_mask[2])};
}

Gradients GroupNormGradients(Call call, const Tensor& grad_out, const Tensor& input,
                             const Tensor& mean, const Tensor& rstd, const Tensor& weight,
                             int64_t n, int64_t c, int64_t hxw, int64_t group,
                             OutputMask output_mask) {
  const Checks check{call.op()};
  check.RequireInput(grad_out, input, output_mask);
  int64_t count = 0, statistics = 0;
  const bool overflow = __builtin_mul_overflow(n, c, &count) ||
                        __builtin_mul_overflow(count, hxw, &count) ||
                        __builtin_mul_overflow(n, group, &statistics);
  if (n < 0 || c < 0 || hxw < 0 || overflow || input.numel() != count) {
    check.Invalid({"input must have N C HxW = ", n, " ", c, " ", hxw, " elements, got sizes ",
                   input.sizes()});
  }
  if (group <= 0 || c % group != 0)
    check.Invalid({"group must be positive and divide the ", c, " channels, got ", group});
  check.RequireStatistics(mean, statistics, "mean");
  check.RequireStatistics(rstd, statistics, "rstd");
  check.RequireParameter(input, weight, {&c, 1}, "weight");
  check.RequireGiven(output_mask[1], weight, "weight");
  check.RequireGiven(output_mask[2], weight, "weight");
  return {output_mask[0] ? LikeInFormat(input) : Tensor(), output_mask[1] ? Like(weight) : Tensor(),
          output_mask[2] ? Like(weight) : Tensor()};
}

}  // namespace sy
