// clamp and masked_fill: pointwise operators whose arguments decide what is computed.

#include <cmath>

#include "kernels.h"
#include "pointwise.h"

namespace opencl {
namespace {

using namespace sy::abi;

constexpr uint64_t kOrdered = kIntegers | kFloats;

// NaN stays NaN, and a limit that is NaN gives NaN.
constexpr const char* kHelpers = R"cl(
static T at_least(T a, T low) { return a != a || a > low ? a : low; }
static T at_most(T a, T high) { return a != a || a < high ? a : high; }
)cl";
constexpr PointwiseOp Limit(const char* name, Takes takes, const char* expression) {
  return {.name = name,
          .takes = takes,
          .dtypes = kOrdered,
          .floats = expression,
          .integers = expression,
          .helpers = kHelpers};
}
constexpr PointwiseOp kAtLeast = Limit("at least", Takes::kTwo, "at_least(a, b)");
constexpr PointwiseOp kAtMost = Limit("at most", Takes::kTwo, "at_most(a, b)");
constexpr PointwiseOp kClamp = Limit("clamp", Takes::kThree, "at_most(at_least(a, b), c)");

template <class T>
void ClampTo(Call call, Tensor out, Tensor self, const Optional<T>& min, const Optional<T>& max) {
  if (!max) return RunPointwise(call, kAtLeast, out, {self, *min});
  if (!min) return RunPointwise(call, kAtMost, out, {self, *max});
  RunPointwise(call, kClamp, out, {self, *min, *max});
}

void Clamp(Call call, Tensor out, Tensor self, Optional<Scalar> min, Optional<Scalar> max) {
  ClampTo(call, out, self, min, max);
}

void ClampTensor(Call call, Tensor out, Tensor self, Tensor min, Tensor max) {
  const auto given = [](Tensor t) { return t.defined() ? Optional<Tensor>(t) : std::nullopt; };
  ClampTo(call, out, self, given(min), given(max));
}

constexpr PointwiseOp kMaskedFill = {.name = "masked_fill",
                                     .takes = Takes::kChoice,
                                     .dtypes = kBool | kOrdered,
                                     .floats = "a ? b : c",
                                     .integers = "a ? b : c"};

// Whether a number is certainly one of the type's. The host judges in doubt, and refuses.
bool SurelyFits(const Type& type, Scalar s) {
  const double v = s.To<double>();
  if (type.kind == Kind::kBool) return true;
  if (type.is_float()) return !std::isfinite(v) || std::abs(v) <= 65504;  // float16's largest
  return v >= 0 && v <= 127;                                              // int8's largest
}

void MaskedFill(Call call, Tensor out, Tensor self, Tensor mask, Tensor value) {
  if (value.dtype() != self.dtype()) {
    const Type& type = TypeOf(call.device<Device>(), self.dtype());
    if (!IsHost(value) || !SurelyFits(type, ReadHost(value))) throw Declined();
  }
  RunPointwise(call, kMaskedFill, out, {mask, value, self});
}

}  // namespace

void AddLimits(KernelList& all) {
  all.push_back(Kernel<Clamp>("clamp", kDeviceName, kOrdered, SY_KERNEL_OPTIONAL));
  all.push_back(Kernel<ClampTensor>("clamp.Tensor", kDeviceName, kOrdered, SY_KERNEL_OPTIONAL));
  all.push_back(
      Kernel<MaskedFill>("masked_fill.Tensor", kDeviceName, kBool | kOrdered, SY_KERNEL_OPTIONAL));
}

}  // namespace opencl
