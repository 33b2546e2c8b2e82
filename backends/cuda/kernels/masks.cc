// nonzero, nonzero_static, masked_select, masked_scatter (device/compact.h).

#include "backends/cuda/kernels/masks.h"

#include "backends/cuda/kernels/rows.h"
#include "backends/cuda/kernels/scan.h"
#include "backends/cuda/kernels/walk.h"
#include "backends/cuda/runtime/op_names.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"

namespace sy::cuda {
namespace {

struct NotZero {
  Tensor flags;
  CompactArgs args{};
  Picked picked;

  // t: row-major.
  NotZero(Call call, const Tensor& t)
      : flags(t), args(ArgsOf(t)), picked(call, "NotZero", t.dtype(), args) {}

 private:
  static CompactArgs ArgsOf(const Tensor& t) {
    CompactArgs args{};
    args.n = t.numel();
    args.flags = t.data();
    return args;
  }
};

// `most` coordinates to `to`, a row and a column of which are so many elements apart.
void WriteCoordinates(Call call, const NotZero& elements, const Tensor& to, int64_t row,
                      int64_t column, int64_t most) {
  const Walk space(elements.flags.sizes());
  if (space.rank > kMaxDims) {
    Fail(ErrorCode::kNotImplemented,
         {call.op(), "(): more than ", kMaxDims, " dimensions, got ", space.rank});
  }
  CompactArgs args = elements.args;
  FillSpace(space, {.flat = false, .wide = true, .each = 1, .lies = {}}, args.space);
  args.to = to.data();
  args.row = row;
  args.column = column;
  args.most = most;
  elements.picked.ForEach("Coordinates", 8, args);
}

// A column of the result is contiguous, as ATen has it.
Tensor Nonzero(Call call, const Tensor& self) {
  const Tensor at = NonzeroPositions(call, self);
  const int64_t n = at.sizes()[1], sizes[] = {n, self.dim()}, strides[] = {1, n};
  return at.AsStrided(sizes, strides, 0);
}

void NonzeroStatic(Call call, const Tensor& out, const Tensor& self, int64_t size,
                   int64_t fill_value) {
  if (out.numel() == 0) return;
  FillElements(call, out, Scalar(fill_value));
  if (self.numel() == 0) return;
  const NotZero elements(call, Dense(call, self, self.dtype()));
  WriteCoordinates(call, elements, out, out.strides()[0], out.strides()[1], size);
}

// t expanded to `sizes`, in row-major order: t itself where it is that.
Tensor RowMajor(Call call, const Tensor& t, IntSpan sizes) {
  if (t.is_contiguous() && SameSizes(t.sizes(), sizes)) return t;
  Tensor copy = Tensor::Empty(sizes, t.dtype(), DeviceOfKey(call.key));
  CopyElements(call, copy, t);
  return copy;
}

Tensor MaskedSelect(Call call, const Tensor& self, const Tensor& mask) {
  if (mask.dtype() != DType::kBool)
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): mask must be bool, got ", mask.dtype()});
  int64_t common[kMaxRank];
  const int rank = Broadcast(self.sizes(), mask.sizes(), common, call.op());
  const IntSpan sizes(common, static_cast<size_t>(rank));
  if (NumElements(sizes) == 0) return Tensor::Empty({0}, self.dtype(), self.device());
  const NotZero elements(call, RowMajor(call, mask, sizes));
  Tensor out = Tensor::Empty({elements.picked.Count()}, self.dtype(), self.device());
  const Tensor all = RowMajor(call, self, sizes);
  CompactArgs args = elements.args;
  args.from = all.data();
  args.to = out.data();
  elements.picked.ForEach("ToList", out.itemsize(), args);
  return out;
}

// A source that is too short is reported at the next synchronising call.
void MaskedScatter(Call call, const Tensor& out, const Tensor& self, const Tensor& mask,
                   const Tensor& source) {
  if (out.data() != self.data()) CopyElements(call, out, self);
  if (out.numel() == 0) return;
  const NotZero elements(call, RowMajor(call, mask, out.sizes()));
  const Tensor list = Dense(call, source, source.dtype()), target = Dense(call, out, out.dtype());
  CompactArgs args = elements.args;
  args.from = list.data();
  args.most = list.numel();
  args.to = target.data();
  args.report = StreamOf(call.key).report();
  args.op = NumberOfOp(call.op());
  elements.picked.ForEach("FromList", out.itemsize(), args);
  if (!target.is_same(out)) CopyElements(call, out, target);
}

const Kernel nonzero{"nonzero", "cuda", kAnyDType, Nonzero};
const Kernel nonzero_static{"nonzero_static", "cuda", kAnyDType, NonzeroStatic};
const Kernel masked_select{"masked_select", "cuda", kAnyDType, MaskedSelect};
const Kernel masked_scatter{"masked_scatter", "cuda", kAnyDType, MaskedScatter};

}  // namespace

Tensor NonzeroPositions(Call call, const Tensor& t) {
  if (t.numel() == 0) return Tensor::Empty({t.dim(), 0}, DType::kInt64, t.device());
  const NotZero elements(call, Dense(call, t, t.dtype()));
  const int64_t n = elements.picked.Count();
  Tensor at = Tensor::Empty({t.dim(), n}, DType::kInt64, t.device());
  if (at.numel() != 0) WriteCoordinates(call, elements, at, 1, n, n);
  return at;
}

}  // namespace sy::cuda
