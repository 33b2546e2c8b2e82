// Operators whose gradients are other operators, which have gradients in their turn.

#include <cmath>

#include "switchyard/c/plugin.hpp"

namespace {

using namespace sy::abi;

constexpr uint64_t kFloats = SY_BIT(SY_FLOAT32) | SY_BIT(SY_FLOAT64);

const Callee kMul("mul.Tensor"), kTimes("mul.Scalar"), kAdd("add.Tensor"), kDiv("div.Tensor");

// --- By a rule and kernels of its own: in place and out= too.

void ScaleRule(Rule& r, Tensor x, double) { r.Pointwise({x}); }
void Scale(Call, Tensor out, Tensor x, double by) {
  Visit<float, double>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    ForEach([&](int64_t o, int64_t i) { out.data<T>()[o] = x.data<T>()[i] * static_cast<T>(by); },
            out, x);
  });
}

void RootRule(Rule& r, Tensor x) { r.Pointwise({x}); }
void Root(Call, Tensor out, Tensor x) {
  Visit<float, double>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    ForEach([&](int64_t o, int64_t i) { out.data<T>()[o] = std::sqrt(x.data<T>()[i]); }, out, x);
  });
}

// --- By other operators, on every device.

// From its own result: grad / (2 result).
void RootBackward(Call call, Tensor grad, Tensor result) {
  const Owned twice = call.Run(kAdd, {Boxed(result), Boxed(result), Boxed(int64_t{1})});
  call.SetOut(0, call.Run(kDiv, {Boxed(grad), Boxed(twice)}));
}

// x y and x + y.
void Join(Call call, Tensor x, Tensor y) {
  call.SetOut(0, call.Run(kMul, {Boxed(x), Boxed(y)}));
  call.SetOut(1, call.Run(kAdd, {Boxed(x), Boxed(y), Boxed(int64_t{1})}));
}
// Of results that may have got no gradient.
void JoinBackward(Call call, Tensor product, Tensor sum, Tensor x, Tensor y) {
  const Tensor other[] = {y, x};
  for (uint32_t i = 0; i < 2; ++i) {
    if (!product.defined()) {
      call.SetOut(i, call.Run(kTimes, {Boxed(sum), Boxed(int64_t{1})}));
      continue;
    }
    Owned g = call.Run(kMul, {Boxed(product), Boxed(other[i])});
    if (sum.defined()) g = call.Run(kAdd, {Boxed(g), Boxed(sum), Boxed(int64_t{1})});
    call.SetOut(i, std::move(g).release());
  }
}

constexpr uint32_t kAll = SY_OPERATOR_IN_PLACE | SY_OPERATOR_OUT;
constexpr SyOperatorDef kOperators[] = {
    RuleOperator<ScaleRule>("gradient::scale(Tensor x, float by) -> Tensor", kAll),
    RuleOperator<ScaleRule>("gradient::scale_backward(Tensor grad, float by) -> Tensor"),
    // The gradient of scale_backward, whose own argument is `grad`.
    RuleOperator<ScaleRule>("gradient::scale_twice(Tensor grad_0, float by) -> Tensor"),
    RuleOperator<RootRule>("gradient::root(Tensor x) -> Tensor", kAll),
    Operator("gradient::root_backward(Tensor grad, Tensor result) -> Tensor"),
    Operator("gradient::join(Tensor x, Tensor y) -> (Tensor, Tensor)"),
    Operator("gradient::join_backward(Tensor? grad_0, Tensor? grad_1, Tensor x, Tensor y) -> "
             "(Tensor x, Tensor y)"),
    Operator("gradient::none(Tensor x) -> Tensor"),
};
void None(Call call, Tensor x) { call.SetOut(0, call.Run(kMul, {Boxed(x), Boxed(x)})); }

constexpr SyKernelDef kKernels[] = {
    Kernel<Scale>("gradient::scale", "cpu", kFloats),
    Kernel<Scale>("gradient::scale_backward", "cpu", kFloats),
    Kernel<Scale>("gradient::scale_twice", "cpu", kFloats),
    Kernel<Root>("gradient::root", "cpu", kFloats),
    Kernel<RootBackward, 0>("gradient::root_backward", nullptr),
    Kernel<Join, 0>("gradient::join", nullptr),
    Kernel<JoinBackward, 0>("gradient::join_backward", nullptr),
    Kernel<None, 0>("gradient::none", "cpu"),
};

#ifndef GRADIENT_BY
#define GRADIENT_BY "gradient::scale_backward"
#endif
constexpr SyGradientDef kGradients[] = {
    Gradient("gradient::scale", GRADIENT_BY),
    Gradient("gradient::scale_backward", "gradient::scale_twice"),
    Gradient("gradient::root", "gradient::root_backward"),
    Gradient("gradient::join", "gradient::join_backward"),
};
constexpr SyPlugin kPlugin =
    MakePlugin("gradient", "1.0", {}, kOperators, kKernels, {}, {}, kGradients);

}  // namespace

SY_PLUGIN(kPlugin, "gradient")
