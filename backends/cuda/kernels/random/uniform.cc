#include <type_traits>

#include "backends/cuda/kernels/random/fill.h"
#include "backends/cuda/plan/types.h"
#include "switchyard/backends/common/dtypes.h"

namespace sy::cuda {
namespace {

double RoundedTo(DType d, double x) {
  double rounded = x;
  VisitDType<kFloatingTypes>(d, [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Compute = std::conditional_t<std::is_same_v<T, double>, double, float>;
    rounded = static_cast<double>(T(static_cast<Compute>(x)));
  });
  return rounded;
}

void Uniform(Call call, const Tensor& out, const Tensor&, double from, double to,
             Generator* generator) {
  const DType d = RealType(out.dtype());
  RandomArgs args{};
  args.a = RoundedTo(d, from);
  args.b = RoundedTo(d, RoundedTo(d, to) - args.a);
  FillRandom(call, out, generator, {"Uniform", d == DType::kFloat64 ? 2 : 1}, args);
}

const Kernel uniform{"uniform", "cuda", kInexactTypes, Uniform};

}  // namespace
}  // namespace sy::cuda
