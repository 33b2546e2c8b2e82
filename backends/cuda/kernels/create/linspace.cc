// linspace and logspace.
// Source of the dtypes of the steps: ATen's RangeFactoriesKernel.cpp and RangeFactories.cpp.

#include <cmath>
#include <complex>

#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/run.h"
#include "switchyard/backends/common/dtypes.h"

namespace sy::cuda {
namespace {

void Run(Call call, const DeviceFunction& function, const Tensor& out, SpacedArgs args) {
  if (out.numel() == 0) return;
  IntoDense(call, out, out.dtype(), [&](const Tensor& to) {
    args.out = to.data();
    args.steps = to.numel();
    RunDevice(call, function, {out.dtype()}, {}, BlocksFor(args.steps), args);
  });
}

template <class T>
SpacedArgs ComplexSteps(const Scalar& start, const Scalar& end, int64_t steps) {
  constexpr DType kType = DTypeOf<T>;
  const T from = start.To<T>(), to = end.To<T>();
  const T step = steps == 1 ? T() : (to - from) / static_cast<T>(static_cast<double>(steps - 1));
  SpacedArgs args{};
  args.start = ImmediateOf(start, kType);
  args.end = ImmediateOf(steps == 1 ? start : end, kType);
  args.step = ImmediateOf(Scalar(std::complex<double>(step)), kType);
  return args;
}

// T: of the numbers; in it start and end are rounded first. The step has their type, but that of
// integers, which is double's.
template <class T>
SpacedArgs Steps(const Scalar& start, const Scalar& end, int64_t steps) {
  if constexpr (Contains(kComplexes, DTypeOf<T>)) {
    return ComplexSteps<T>(start, end, steps);
  } else {
    constexpr bool kIsHalf = Contains(kHalves, DTypeOf<T>);
    using Number =
        std::conditional_t<kIsHalf, float, std::conditional_t<std::is_integral_v<T>, double, T>>;
    const auto round = [](Number x) {
      if constexpr (kIsHalf) x = static_cast<Number>(static_cast<T>(x));
      return x;
    };
    const auto from = static_cast<Number>(start.To<T>());
    const auto to = steps == 1 ? from : static_cast<Number>(end.To<T>());
    const Number step =
        steps == 1 ? Number(0) : round(round(to - from) / round(static_cast<Number>(steps - 1)));
    constexpr DType kType = DTypeOf<Number>;
    SpacedArgs args{};
    args.start = ImmediateOf(Scalar(static_cast<double>(from)), kType);
    args.end = ImmediateOf(Scalar(static_cast<double>(to)), kType);
    args.step = ImmediateOf(Scalar(static_cast<double>(step)), kType);
    return args;
  }
}

void Linspace(Call call, const Tensor& out, const Scalar& start, const Scalar& end, int64_t steps,
              Optional<DType>, Optional<Layout>, Optional<Device>, Optional<bool>) {
  static constexpr DeviceFunction kLinspace{"spaced", "SpacedArgs", "Linspace"};
  VisitDType<kNumberTypes>(out.dtype(), [&](auto tag) {
    Run(call, kLinspace, out, Steps<typename decltype(tag)::type>(start, end, steps));
  });
}

void Logspace(Call call, const Tensor& out, const Scalar& start, const Scalar& end, int64_t steps,
              double base, Optional<DType>, Optional<Layout>, Optional<Device>, Optional<bool>) {
  if (steps == 1 && !IsComplex(out.dtype()))
    return FillElements(call, out, Scalar(std::pow(base, start.To<double>())));
  static constexpr DeviceFunction kLogspace{"spaced", "SpacedArgs", "Logspace"};
  VisitDType<kNumberTypes>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    SpacedArgs args{};
    if constexpr (Contains(kComplexes, DTypeOf<T>)) {
      args = ComplexSteps<T>(start, end, steps);
      args.base = ImmediateOf(Scalar(base), DTypeOf<T>);
    } else {
      const auto from = static_cast<double>(start.To<T>()), to = static_cast<double>(end.To<T>());
      // The distance has the dtype of the numbers.
      const double all =
          std::is_integral_v<T> ? to - from : static_cast<double>(static_cast<T>(to - from));
      const auto number = [](double x) { return ImmediateOf(Scalar(x), DType::kFloat64); };
      args.start = number(from);
      args.end = number(to);
      args.step = number(all / static_cast<double>(steps - 1));
      args.base = number(base);
    }
    Run(call, kLogspace, out, args);
  });
}

const Kernel linspace{"linspace", "cuda", kNumberTypes, Linspace};
const Kernel logspace{"logspace", "cuda", kNumberTypes, Logspace};

}  // namespace
}  // namespace sy::cuda
