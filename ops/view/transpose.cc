// self with two dimensions swapped; t swaps the two of a matrix, mT the last two, and mH, adjoint,
// takes complex conjugates too, a view as all of these; matrix_H is mH of a matrix alone. swapaxes
// and swapdims are transpose; t_copy and transpose_copy copy.
//   self: any sizes (t: at most 2-d; mT, mH, adjoint: 0-d, or 2-d or more; matrix_H: 0-d or 2-d)
//   →   the storage of self
// Errors: kOutOfRange for a dimension out of range, kInvalidArgument for a tensor of a rank that t
// or mT or matrix_H does not take.
// Example: sy::transpose(x, 0, 1)
// Source: ATen transpose, t, t_copy, transpose_copy, swapaxes, swapdims, mT, mH, adjoint,
// matrix_H.
#include <algorithm>
#include <utility>

#include "switchyard/ops/view/copying.h"

namespace sy {
namespace {

void TransposeShape(ShapeContext& r, const TensorBase& self, int64_t dim0, int64_t dim1) {
  dim0 = r.WrapDim(dim0, self);
  dim1 = r.WrapDim(dim1, self);
  const size_t rank = self.sizes().size();
  int64_t* sizes = r.Ints(2 * self.dim());
  int64_t* strides = sizes + rank;
  std::copy_n(self.sizes().data(), 2 * rank, sizes);  // strides follow sizes
  if (rank > 0) {
    std::swap(sizes[dim0], sizes[dim1]);
    std::swap(strides[dim0], strides[dim1]);
  }
  r.View({sizes, rank}, {strides, rank}, self.storage_offset());
}

void TShape(ShapeContext& r, const TensorBase& self) {
  if (self.dim() > 2) r.Fail({"expected at most 2 dimensions, got sizes ", self.sizes()});
  TransposeShape(r, self, 0, self.dim() < 2 ? 0 : 1);
}

void MatricesShape(ShapeContext& r, const TensorBase& self) {
  if (self.dim() == 1) r.Fail({"expected at least 2 dimensions, got sizes ", self.sizes()});
  if (self.dim() == 0) return TransposeShape(r, self, 0, 0);  // as ATen: the number itself
  TransposeShape(r, self, -2, -1);
}

}  // namespace

const Operator transpose_op{"transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)",
                            View(TransposeShape), InPlace("")};
const Operator t_op{"t(Tensor(a) self) -> Tensor(a)", View(TShape), kInPlace};
const Operator swapaxes_op{"swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)",
                           View(TransposeShape), kInPlace};
const Operator swapdims_op{"swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a)",
                           View(TransposeShape), kInPlace};
const Operator mt_op{"mT(Tensor(a) self) -> Tensor(a)", View(MatricesShape)};
const Operator mh_op{"mH(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};
const Operator adjoint_op{"adjoint(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};
const Operator matrix_h_op{"matrix_H(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};
const Operator transpose_copy_op{"transpose_copy.int(Tensor self, int dim0, int dim1) -> Tensor",
                                 CopyOf<TransposeShape>, kOut};
const Operator t_copy_op{"t_copy(Tensor self) -> Tensor", CopyOf<TShape>, kOut};

}  // namespace sy
