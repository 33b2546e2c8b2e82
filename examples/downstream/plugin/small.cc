// The smallest plugin in C++: an operator, and its kernel on the host.

#include "switchyard/c/plugin.hpp"

namespace {

using namespace sy::abi;

void TwiceShape(Outputs& outputs, Tensor x) { outputs.Add(x.sizes(), x.dtype()); }

void Twice(Call, Tensor out, Tensor x) {
  ForEach([&](int64_t o, int64_t i) { out.data<float>()[o] = 2 * x.data<float>()[i]; }, out, x);
}

constexpr SyOperatorDef operators[] = {Operator<TwiceShape>("small::twice(Tensor x) -> Tensor")};
constexpr SyKernelDef kernels[] = {Kernel<Twice>("small::twice", "cpu", SY_BIT(SY_FLOAT32))};
constexpr SyPlugin plugin =
    MakePlugin("small", "1.0", Span<const SyDeviceDef>(), operators, kernels);

}  // namespace

SY_PLUGIN(plugin, "small")
