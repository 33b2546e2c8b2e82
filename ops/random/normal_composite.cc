// normal: an empty tensor, filled in place.

#include <optional>
#include <vector>

#include "ops/fill_out.h"
#include "ops/random/filled_composite.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void RequireStd(Call call, const Tensor& std) {
  if (IsComplex(std.dtype()))
    Fail(ErrorCode::kInvalidArgument, call.op(), {"std must be real, got ", std.dtype()});
  if (std.numel() == 0 || !std.is_host()) return;
  if (item(all(ge(std, 0))).To<bool>()) return;
  Fail(ErrorCode::kInvalidValue, call.op(), {"std must not be negative anywhere"});
}
void RequireStd(Call call, double std) {
  if (!(std >= 0))
    Fail(ErrorCode::kInvalidArgument, call.op(), {"std must not be negative, got ", std});
}
std::vector<int64_t> BroadcastSizes(Call call, const Tensor& a, const Tensor& b) {
  int64_t sizes[kMaxRank];
  const int rank = Broadcast(a.sizes(), b.sizes(), sizes, call.op());
  return {sizes, sizes + rank};
}
// Standard normal numbers in a new tensor, then scaled and shifted in place.
Tensor ScaledAndShifted(Tensor t, const Tensor& mean, const Tensor& std, Generator* g) {
  normal_(t, 0, 1, g);
  return add_(mul_(t, std), mean);
}
// A tensor as `out` will be, so that it draws the same numbers in the same places; what is refused,
// is before `out` is touched.
Tensor Beside(const Tensor& out, IntSpan size) {
  if (!SameSizes(out.sizes(), size)) return new_empty(out, size);
  return new_empty_strided(out, out.sizes(), out.strides());
}
void Store(const Tensor& out, const Tensor& t) { copy_(resize_(out, t.sizes()), t); }

void NormalTensorTensorOut(Call call, const Tensor& mean, const Tensor& std, Generator* g,
                           const Tensor& out) {
  RequireStd(call, std);
  Store(out, ScaledAndShifted(Beside(out, BroadcastSizes(call, mean, std)), mean, std, g));
}
Tensor NormalTensorTensor(Call call, const Tensor& mean, const Tensor& std, Generator* g) {
  RequireStd(call, std);
  return ScaledAndShifted(
      empty(BroadcastSizes(call, mean, std), mean.dtype(), std::nullopt, mean.device()), mean, std,
      g);
}
Tensor Shifted(Tensor t, const Tensor& mean, double std, Generator* g) {
  normal_(t, 0, std, g);
  return add_(t, mean);
}
void NormalTensorFloatOut(Call call, const Tensor& mean, double std, Generator* g,
                          const Tensor& out) {
  RequireStd(call, std);
  Store(out, Shifted(Beside(out, BroadcastSizes(call, mean, out)), mean, std, g));
}
Tensor NormalTensorFloat(Call call, const Tensor& mean, double std, Generator* g) {
  RequireStd(call, std);
  return Shifted(NewContiguousLike(mean), mean, std, g);
}
Tensor MeanOf(double mean, const Tensor& like) {
  return full({}, mean, like.dtype(), std::nullopt, like.device());
}
void NormalFloatTensorOut(Call call, double mean, const Tensor& std, Generator* g,
                          const Tensor& out) {
  RequireStd(call, std);
  Store(out, ScaledAndShifted(Beside(out, std.sizes()), MeanOf(mean, out), std, g));
}
Tensor NormalFloatTensor(Call call, double mean, const Tensor& std, Generator* g) {
  RequireStd(call, std);
  return ScaledAndShifted(NewContiguousLike(std), MeanOf(mean, std), std, g);
}
Tensor NormalFloatFloat(Call, double mean, double std, IntSpan size, Generator* g,
                        Optional<DType> dtype, Optional<Layout> layout, Optional<Device> device,
                        Optional<bool> pin_memory) {
  Tensor t = empty(size, dtype, layout, device, pin_memory);
  normal_(t, mean, std, g);
  return t;
}
void NormalFloatFloatOut(Call, double mean, double std, IntSpan size, Generator* g,
                         const Tensor& out) {
  ResizeAndFill(out, size, std::nullopt, [&](const Tensor& t) { normal_(t, mean, std, g); });
}
const Composite normal_tensor_tensor_body{"normal.Tensor_Tensor", NormalTensorTensor};
const Composite normal_tensor_tensor_out_body{"normal.Tensor_Tensor_out", NormalTensorTensorOut};
const Composite normal_tensor_float_body{"normal.Tensor_float", NormalTensorFloat};
const Composite normal_tensor_float_out_body{"normal.Tensor_float_out", NormalTensorFloatOut};
const Composite normal_float_tensor_body{"normal.float_Tensor", NormalFloatTensor};
const Composite normal_float_tensor_out_body{"normal.float_Tensor_out", NormalFloatTensorOut};
const Composite normal_float_float_body{"normal.float_float", NormalFloatFloat};
const Composite normal_float_float_out_body{"normal.float_float_out", NormalFloatFloatOut};
void NormalOut(Call call, const Tensor& self, double mean, double std, Generator* g,
               const Tensor& out) {
  if (out.dtype() != self.dtype()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"out must be ", self.dtype(), " as self is, got ", out.dtype()});
  }
  Tensor t = empty_like(self);
  normal_(t, mean, std, g);
  Store(out, t);
}
const Composite normal_out_body{"normal.out", NormalOut};

}  // namespace
}  // namespace sy
