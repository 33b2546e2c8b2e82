// div with a rounding mode. Integers divided by 0 are refused before anything is written, as on the
// host.

#include <algorithm>

#include "kernels.h"
#include "pointwise.h"
#include "queue.h"
#include "reduce.h"

namespace opencl {
namespace {

using namespace sy::abi;

constexpr uint64_t kTypes = kIntegers | kFloats;

constexpr PointwiseOp kExact = {.name = "div.Tensor",
                                .takes = Takes::kTwo,
                                .dtypes = kFloats,
                                .floats = "a / b",
                                .keeps_numbers = true};

// The smallest integer divided by -1 wraps around; most processors stop there.
constexpr PointwiseOp kTrunc = {.name = "div trunc",
                                .takes = Takes::kTwo,
                                .dtypes = kTypes,
                                .floats = "trunc(a / b)",
                                .integers = "b + 1 == 0 ? (T)-(U)a : (T)(a / b)",
                                .keeps_numbers = true};

// Rounded down, consistent with the remainder. Source: CPython's float_floor_div
// (Objects/floatobject.c), which ATen's div_floor_floating follows.
constexpr PointwiseOp kFloor = {.name = "div floor",
                                .takes = Takes::kTwo,
                                .dtypes = kTypes,
                                .floats = "floor_of(a, b)",
                                .integers = "floor_of(a, b)",
                                .keeps_numbers = true,
                                .helpers = R"cl(
#if FLOATS
static T floor_of(T a, T b) {
  const T exact = a / b;
  if (b == 0) return exact;
  const T remainder = fmod(a, b);
  T quotient = (isinf(exact) && !isinf(a) ? a : a - remainder) / b;
  if (remainder != 0 && (b < 0) != (remainder < 0)) quotient -= 1;
  if (quotient == 0) return copysign((T)0, exact);
  const T down = floor(quotient);
  return quotient - down > 0.5f ? down + 1 : down;
}
#else
static T floor_of(T a, T b) {
  if (b + 1 == 0) return (T)-(U)a;
  const T quotient = a / b;
  return (a < 0) != (b < 0) && quotient * b != a ? quotient - 1 : quotient;
}
#endif
)cl"};

bool HoldsZero(Call call, const Type& type, const Operand& divisor) {
  if (const auto* number = std::get_if<Number>(&divisor)) {
    const unsigned char* end = number->bytes + number->size;
    return std::all_of(number->bytes, end, [](unsigned char byte) { return byte == 0; });
  }
  const Array& b = std::get<Array>(divisor);
  const Type& truth = TypeOf(call.device<Device>(), {SY_BOOL});
  const Array any = Array::Workspace(call, truth, {});
  RunReduction(call,
               {.name = "any zero",
                .accumulate = &truth,
                .in = {&type},
                .expression = "a == 0",
                .combine = "x | y",
                .identity = "0"},
               any, {b}, b.sizes.size());
  uint8_t found = 0;
  QueueOf(call).Read(any.memory, 0, &found, sizeof(found));
  return found != 0;
}

void DivMode(Call call, Tensor out, Tensor a, Tensor b, Optional<std::string_view> mode) {
  if (!mode) return RunPointwise(call, kExact, out, {a, b});
  const Type& type = TypeOf(call.device<Device>(), call.dtype());
  // They round after every step, except where they are divided by a number.
  if (type.is_half() && !IsHost(b)) throw Declined();
  if (!type.is_float() && b.numel() > 0 && HoldsZero(call, type, OperandOf(call, type, b)))
    throw Error(SY_E_INVALID_VALUE, "other holds a 0, by which integers cannot be divided");
  RunPointwise(call, *mode == "floor" ? kFloor : kTrunc, out, {a, b});
}

}  // namespace

void AddDivision(KernelList& all) {
  all.push_back(Kernel<DivMode>("div.Tensor_mode", kDeviceName, kTypes, SY_KERNEL_OPTIONAL));
}

}  // namespace opencl
