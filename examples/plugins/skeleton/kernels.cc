// Kernels for operators of the host, and an operator of this plugin's own.
//
// Arguments are checked and outputs allocated. Inputs may have any strides, sizes that broadcast,
// dtypes that convert to the one to compute in, and 0-dim tensors may be the host's (numbers are).

#include "kernels.h"

#include "switchyard/c/plugin.hpp"

namespace skeleton {
namespace {

using namespace sy::abi;

constexpr uint64_t kTypes =
    SY_BIT(SY_INT32) | SY_BIT(SY_INT64) | SY_BIT(SY_FLOAT32) | SY_BIT(SY_FLOAT64);

// Calls f with the C++ type to compute in; what the kernels are not registered for is declined.
template <class F>
void VisitType(DType dtype, F f) {
  Visit<int32_t, int64_t, float, double>(dtype, f);
}

void Add(Call call, Tensor out, Tensor a, Tensor b, Scalar alpha) {
  if (out.dtype() != call.dtype()) throw Declined("out is of another dtype");
  VisitType(call.dtype(), [&]<class T>(std::type_identity<T>) {
    const T factor = alpha.To<T>();
    ForEach([&](int64_t o, int64_t x,
                int64_t y) { out.data<T>()[o] = Load<T>(a, x) + factor * Load<T>(b, y); },
            out, a, b);
  });
}

void Fill(Call call, Tensor out, Tensor, Scalar value) {
  VisitType(call.dtype(), [&]<class T>(std::type_identity<T>) {
    ForEach([&](int64_t o) { out.data<T>()[o] = value.To<T>(); }, out);
  });
}

// Between tensors of this device, converting. Other devices' are the host's business.
void Copy(Call, Tensor out, Tensor, Tensor source, bool) {
  VisitType(out.dtype(), [&]<class T>(std::type_identity<T>) {
    ForEach([&](int64_t o, int64_t s) { out.data<T>()[o] = Load<T>(source, s); }, out, source);
  });
}

// x: any sizes   →   like x
void ScaleRule(Rule& r, Tensor x, double) {
  if (x.dtype() != DType{SY_FLOAT32} && x.dtype() != DType{SY_FLOAT64})
    throw Error("x must be float32 or float64");
  r.Pointwise({x});
}
void Scale(Call call, Tensor out, Tensor x, double by) {
  VisitType(call.dtype(), [&]<class T>(std::type_identity<T>) {
    ForEach([&](int64_t o, int64_t i) { out.data<T>()[o] = x.data<T>()[i] * static_cast<T>(by); },
            out, x);
  });
}

constexpr SyOperatorDef operators[] = {
    RuleOperator<ScaleRule>("skeleton::scale(Tensor x, float by=2.0) -> Tensor",
                            SY_OPERATOR_IN_PLACE),
};

constexpr SyKernelDef kernels[] = {
    Kernel<Add>("add.Tensor", "skeleton", kTypes),
    Kernel<Fill>("fill.Scalar", "skeleton", kTypes),
    Kernel<Copy>("copy", "skeleton", kTypes),
    Kernel<Scale>("skeleton::scale", "skeleton", kTypes),
    Kernel<Scale>("skeleton::scale", "cpu", kTypes),
    // An operator that some hosts do not have: without the flag they would refuse the plugin.
    Kernel<Scale>("other_project::scale", "skeleton", kTypes, SY_KERNEL_OPTIONAL),
};

}  // namespace

const std::span<const SyOperatorDef> kOperators = operators;
const std::span<const SyKernelDef> kKernels = kernels;

}  // namespace skeleton
