#include "backends/cuda/engine/engine.h"

#include <algorithm>

#include "backends/cuda/device/args.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/plan/layout.h"
#include "backends/cuda/runtime/op_names.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {
namespace {

// Runs a function of device/check.h over the elements of t. What it finds is reported by the next
// synchronising call.
void Check(const Call& call, const Specialised& function, const Tensor& t) {
  IndexSpace space(t.sizes());
  space.Add(t);
  if (space.numel() == 0) return;
  space.Coalesce();
  ForEachPart(space, [&](const IndexSpace& part) {
    const Layout layout{
        .flat = false, .wide = true, .each = 1, .stride_kinds = {HostStrideKind::kStrided}};
    CheckArgs args{};
    FillSpace(part, layout, args.space);
    args.data = part.operands[0].data;
    args.report = StreamOf(call.key).report();
    args.op = NumberOfOp(call.op());
    Launch(call, function, BlocksFor(args.space.n), args);
  });
}

}  // namespace

void Engine::RequireNoZero(const Call& call, const Tensor& divisors) {
  if (!divisors.is_host()) {
    return Check(call, Specialised("check", "CheckArgs", "NoZero").Bits(divisors.itemsize()),
                 divisors);
  }
  const Immediate number = ImmediateOf(ReadNumber(divisors), call.dtype());
  if (std::ranges::all_of(number.bytes, [](unsigned char b) { return b == 0; }))
    FailDivisionByZero(call.op());
}

void Engine::RequireProbabilities(const Call& call, const Tensor& t) {
  Check(call, Specialised("check", "CheckArgs", "Probabilities").Element(t.dtype()), t);
}

}  // namespace sy::cuda
