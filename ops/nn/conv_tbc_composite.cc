// conv_tbc as one product for each element of its kernels, and its gradients likewise.

#include <algorithm>
#include <optional>
#include <tuple>

#include "switchyard/core/checked.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// Steps of the result. Errors: as the operators'.
int64_t StepsOf(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias,
                int64_t pad) {
  const IntSpan x = input.sizes(), w = weight.sizes();
  if (x.size() != 3 || w.size() != 3 || bias.dim() != 1 || x[2] != w[1] ||
      bias.sizes()[0] != w[2]) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"sizes must be [t, n, c], [k, c, o] and [o], got ", x, ", ", w, " and ", bias.sizes()});
  }
  if (input.dtype() != weight.dtype() || input.dtype() != bias.dtype()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"input, weight and bias must have one dtype, got ", input.dtype(), ", ", weight.dtype(),
          " and ", bias.dtype()});
  }
  if (pad < 0 || pad > INT64_MAX / 4)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"pad must be 0 or a size, got ", pad});
  const int64_t steps = CheckedSum(call, "the padded length", x[0], 2 * pad) - w[0] + 1;
  if (steps < 0) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"kernels of length ", w[0], " do not fit into input ", x, " with pad ", pad});
  }
  return steps;
}

// f(k, steps of the input, of the result) for each element of the kernels that falls inside.
template <class F>
void ForEachTap(const Tensor& input, const Tensor& result, int64_t taps, int64_t pad, F f) {
  for (int64_t k = 0; k < taps; ++k) {
    const int64_t in = ::std::max<int64_t>(0, k - pad), out = ::std::max<int64_t>(0, pad - k);
    const int64_t n = ::std::min(input.sizes()[0] - in, result.sizes()[0] - out);
    if (n > 0) f(k, narrow(input, 0, in, n), narrow(result, 0, out, n));
  }
}

Tensor ConvTbc(Call call, const Tensor& self, const Tensor& weight, const Tensor& bias,
               int64_t pad) {
  const int64_t steps = StepsOf(call, self, weight, bias, pad);
  const Tensor out =
      clone(expand(bias, {steps, self.sizes()[1], weight.sizes()[2]}), MemoryFormat::kContiguous);
  ForEachTap(self, out, weight.sizes()[0], pad, [&](int64_t k, const Tensor& x, const Tensor& y) {
    add_(y, matmul(x, select(weight, 0, k)));
  });
  return out;
}

::std::tuple<Tensor, Tensor, Tensor> ConvTbcBackward(Call call, const Tensor& grad,
                                                     const Tensor& input, const Tensor& weight,
                                                     const Tensor& bias, int64_t pad) {
  const int64_t sizes[] = {StepsOf(call, input, weight, bias, pad), input.sizes()[1],
                           weight.sizes()[2]};
  if (!SameSizes(grad.sizes(), sizes) || grad.dtype() != input.dtype()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self must have sizes ", IntSpan(sizes), " and dtype ", input.dtype(), ", got ",
          grad.sizes(), " and ", grad.dtype()});
  }
  const auto zeros_like_of = [](const Tensor& t) {
    return zeros(t.sizes(), t.dtype(), ::std::nullopt, t.device());
  };
  const Tensor of_input = zeros_like_of(input), of_weight = zeros_like_of(weight);
  ForEachTap(of_input, grad, weight.sizes()[0], pad,
             [&](int64_t k, const Tensor& x, const Tensor& g) {
               add_(x, matmul(g, t(select(weight, 0, k))));
             });
  ForEachTap(input, grad, weight.sizes()[0], pad, [&](int64_t k, const Tensor& x, const Tensor& g) {
    const int64_t rows = x.sizes()[0] * x.sizes()[1];
    copy_(select(of_weight, 0, k),
          mm(t(reshape(x, {rows, weight.sizes()[1]})), reshape(g, {rows, weight.sizes()[2]})));
  });
  return {of_input, of_weight, to(sum(grad, {0, 1}), bias.dtype())};
}

const Composite conv_tbc_body{"conv_tbc", ConvTbc};
const Composite conv_tbc_backward_body{"conv_tbc_backward", ConvTbcBackward};

}  // namespace
}  // namespace sy
