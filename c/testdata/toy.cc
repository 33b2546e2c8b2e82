// A plugin as somebody outside this tree writes it, in C++17.
#include <switchyard/c/plugin.hpp>

namespace {

using namespace sy::abi;

void TwiceShape(Outputs& outputs, Tensor x) { outputs.Add(x.sizes(), x.dtype()); }

void Twice(Call call, Tensor out, Tensor x) {
  Visit<float, double>(call.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    ForEach([&](int64_t o, int64_t i) { out.data<T>()[o] = 2 * x.data<T>()[i]; }, out, x);
  });
}

// Every kind of argument.
void All(Call, Tensor, Tensor, Optional<Tensor>, Span<const int64_t>, double, bool, Scalar,
         std::string_view, std::vector<Tensor>, Optional<int64_t>) {}

constexpr SyOperatorDef operators[] = {
    Operator<TwiceShape>("toy::twice(Tensor x) -> Tensor", SY_OPERATOR_OUT)};
constexpr SyKernelDef kernels[] = {
    Kernel<Twice>("toy::twice", "cpu", SY_BIT(SY_FLOAT32) | SY_BIT(SY_FLOAT64)),
    Kernel<All>("nobody::has_this", "cpu", SY_ANY_DTYPE, SY_KERNEL_OPTIONAL)};
const SyPlugin plugin = MakePlugin("toy", "1.0", {}, operators, kernels);

}  // namespace

SY_PLUGIN(plugin, "toy")
