// linspace and logspace.
// Source of the dtypes of the steps: ATen's RangeFactoriesKernel.cpp and RangeFactories.cpp.

#include <cmath>
#include <complex>

#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/common/spacing.h"

namespace sy::cuda {
namespace {

void Run(Call call, const char* function, const Tensor& out, SpacedArgs args) {
  if (out.numel() == 0) return;
  IntoDense(call, out, out.dtype(), [&](const Tensor& to) {
    args.out = to.data();
    args.steps = to.numel();
    Launch(call, Specialised("spaced", "SpacedArgs", function).Element(out.dtype()),
           BlocksFor(args.steps), args);
  });
}

template <class Number>
SpacedArgs ArgsOf(const Spacing<Number>& s) {
  const auto number = [](Number x) {
    if constexpr (Contains(kComplexTypes, DTypeOf<Number>)) {
      return ImmediateOf(Scalar(std::complex<double>(x)), DTypeOf<Number>);
    } else {
      return ImmediateOf(Scalar(static_cast<double>(x)), DTypeOf<Number>);
    }
  };
  SpacedArgs args{};
  args.start = number(s.start);
  args.end = number(s.end);
  args.step = number(s.step);
  return args;
}

void Linspace(Call call, const Tensor& out, const Scalar& start, const Scalar& end, int64_t steps,
              Optional<DType>, Optional<Layout>, Optional<Device>, Optional<bool>) {
  VisitDType<kNumberTypes>(out.dtype(), [&](auto tag) {
    Run(call, "Linspace", out, ArgsOf(SpacingOf<typename decltype(tag)::type>(start, end, steps)));
  });
}

void Logspace(Call call, const Tensor& out, const Scalar& start, const Scalar& end, int64_t steps,
              double base, Optional<DType>, Optional<Layout>, Optional<Device>, Optional<bool>) {
  if (steps == 1 && !IsComplex(out.dtype()))
    return FillElements(call, out, Scalar(std::pow(base, start.To<double>())));
  VisitDType<kNumberTypes>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    SpacedArgs args{};
    if constexpr (Contains(kComplexTypes, DTypeOf<T>)) {
      args = ArgsOf(SpacingOf<T>(start, end, steps));
      args.base = ImmediateOf(Scalar(base), DTypeOf<T>);
    } else {
      args = ArgsOf(ExponentSpacingOf<T>(start, end, steps));
      args.base = ImmediateOf(Scalar(base), DType::kFloat64);
    }
    Run(call, "Logspace", out, args);
  });
}

const Kernel linspace{"linspace", "cuda", kNumberTypes, Linspace};
const Kernel logspace{"logspace", "cuda", kNumberTypes, Logspace};

}  // namespace
}  // namespace sy::cuda
