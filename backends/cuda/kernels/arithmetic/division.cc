#include "backends/cuda/kernels/arithmetic/division.h"

#include <algorithm>

#include "backends/cuda/device/args.h"
#include "backends/cuda/engine/launch.h"
#include "backends/cuda/engine/pointwise.h"
#include "backends/cuda/plan/walk.h"
#include "backends/cuda/runtime/op_names.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/core/transfer.h"
#include "switchyard/ops/formulas/rounding.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

// Refuses a 0 in `other`, by which integers are to be divided: at once where it is a number on the
// host, else at the next synchronising call.
void RequireNoZero(Call call, const Tensor& other) {
  if (other.is_host()) {
    const Immediate number = ImmediateOf(ReadNumber(other), call.dtype());
    if (std::ranges::any_of(number.bytes, [](unsigned char b) { return b != 0; })) return;
    FailDivisionByZero(call.op());
  }
  IndexSpace w(other.sizes());
  w.Add(other);
  if (w.numel() == 0) return;
  w.Coalesce();
  ForEachPart(w, [&](const IndexSpace& part) {
    const Layout layout{
        .flat = false, .wide = true, .each = 1, .stride_kinds = {HostStrideKind::kStrided}};
    CheckArgs args{};
    FillSpace(part, layout, args.space);
    args.data = part.operands[0].data;
    args.report = StreamOf(call.key).report();
    args.op = NumberOfOp(call.op());
    static constexpr char kFamily = 0;
    const DType dtype = other.dtype();
    const auto text = [dtype] {
      return KernelSource("check", "CheckArgs",
                          fmt::format("NoZero<{}>(args)", BitsName(ItemSize(dtype))));
    };
    Launch(call, {&kFamily, {ItemSize(dtype), 0, 0}}, text, BlocksFor(args.space.n), args);
  });
}

}  // namespace

void Divide(const FormulaDef& formula, Call call, const Tensor& out, const Tensor& self,
            const Tensor& other) {
  if (IsIntegral(call.dtype(), true) && out.numel() != 0) RequireNoZero(call, other);
  if (Contains(kHalfTypes, call.dtype()) && other.numel() == 1 && &formula != &kFormula<f::Fmod> &&
      &formula != &kFormula<f::Remainder>)
    return RunKeepingNumber(call, formula, out, {&self, &other});
  RunFormula(call, formula, out, {&self, &other});
}

}  // namespace sy::cuda
