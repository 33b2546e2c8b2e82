#include "backends/cuda/kernels/index/nonzero.h"

#include "backends/cuda/engine/dense.h"
#include "backends/cuda/kernels/index/not_zero.h"
#include "backends/cuda/plan/layout.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

// `most` coordinates to `to`, a row and a column of which are so many elements apart.
void WriteCoordinates(Call call, const NotZero& elements, const Tensor& to, int64_t row,
                      int64_t column, int64_t most) {
  const IndexSpace space(elements.flags.sizes());
  if (space.rank > kMaxDims) {
    Fail(ErrorCode::kNotImplemented, call.op(),
         {"more than ", kMaxDims, " dimensions, got ", space.rank});
  }
  CompactArgs args = elements.args;
  FillSpace(space, {.flat = false, .wide = true, .each = 1, .stride_kinds = {}}, args.space);
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

const Kernel nonzero{"nonzero", "cuda", kAnyDType, Nonzero};
const Kernel nonzero_static{"nonzero_static", "cuda", kAnyDType, NonzeroStatic};

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
