#include <algorithm>

#include "backends/cuda/device/args.h"
#include "backends/cuda/kernels/launch.h"
#include "backends/cuda/kernels/pointwise.h"
#include "backends/cuda/kernels/walk.h"
#include "backends/cuda/runtime/op_names.h"
#include "switchyard/core/error.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {

void RequireNoZero(Call call, const Tensor& other) {
  if (other.is_host()) {
    const Immediate number = ImmediateOf(ReadNumber(other), call.dtype());
    if (std::ranges::any_of(number.bytes, [](unsigned char b) { return b != 0; })) return;
    Fail(ErrorCode::kInvalidValue,
         {call.op(), "(): other holds a 0, by which integers cannot be divided"});
  }
  Walk w(other.sizes());
  w.Add(other);
  if (w.numel() == 0) return;
  w.Simplify();
  ForEachPart(w, [&](const Walk& part) {
    const Layout layout{.flat = false, .wide = true, .each = 1, .lies = {HostLie::kStrided}};
    CheckArgs args{};
    FillSpace(part, layout, args.space);
    args.data = part.operands[0].data;
    args.report = StreamOf(call.key).report();
    args.op = NumberOfOp(call.op());
    static constexpr char kFamily = 0;
    const DType dtype = other.dtype();
    const auto text = [dtype] {
      return KernelSource("check", "CheckArgs",
                          Join({"NoZero<", BitsName(ItemSize(dtype)), ">(args)"}));
    };
    Launch(call, {&kFamily, {ItemSize(dtype), 0, 0}}, text, BlocksFor(args.space.n), args);
  });
}

}  // namespace sy::cuda
