// The diagonal of the matrices that two dimensions make, as the last dimension; offset > 0 is above
// the main one, < 0 below. linalg_diagonal takes the last two dimensions unless told otherwise.
// diagonal_copy copies that; diagonal_scatter copies self and writes src there.
//   self: at least 2-d   →   self's sizes without dim1 and dim2, then the diagonal's length; the
//   storage of self
// Errors: kOutOfRange for a dimension out of range, kInvalidArgument when both are the same, or src
// has other sizes than the diagonal.
// Example: sy::diagonal(x, 1)
// Source: ATen diagonal, linalg_diagonal, diagonal_copy, diagonal_scatter.
#include <algorithm>

#include "switchyard/ops/view/copying.h"
#include "switchyard/ops/view/offset.h"

namespace sy {
namespace {

void DiagonalShape(ShapeContext& r, const TensorBase& self, int64_t offset, int64_t dim1,
                   int64_t dim2) {
  const int64_t first = r.WrapDim(dim1, self), second = r.WrapDim(dim2, self);
  if (first == second)
    r.Fail({"dim1 and dim2 must be different dimensions, got ", dim1, " and ", dim2});
  const IntSpan sizes = self.sizes(), strides = self.strides();
  int64_t *new_sizes = r.Ints(self.dim()), *new_strides = r.Ints(self.dim());
  size_t n = 0;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d == first || d == second) continue;
    new_sizes[n] = sizes[d];
    new_strides[n++] = strides[d];
  }
  // What the offset leaves of one of the two; an offset beyond both leaves nothing, whatever it is.
  const int64_t below = std::clamp<int64_t>(offset, -sizes[first], 0);
  const int64_t right = std::clamp<int64_t>(offset, 0, sizes[second]);
  const int64_t length = std::min(sizes[first] + below, sizes[second] - right);
  new_sizes[n] = length;
  // Strides of an empty tensor, and of dimensions of one element, may be any.
  if (__builtin_add_overflow(strides[first], strides[second], &new_strides[n])) new_strides[n] = 1;
  ++n;
  // Only one of below and right is not 0.
  const bool down = below != 0;
  const int64_t skipped = length == 0 ? 0 : down ? -below : right;
  r.View({new_sizes, n}, {new_strides, n},
         OffsetBy(r, self, skipped, strides[down ? first : second]));
}

}  // namespace

const Operator diagonal_op{
    "diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)",
    View(DiagonalShape)};
const Operator linalg_diagonal_op{
    "linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)",
    View(DiagonalShape)};
const Operator diagonal_copy_op{
    "diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor",
    CopyOf<DiagonalShape>, kOut};
const Operator diagonal_scatter_op{
    "diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor",
    ScatterOf<DiagonalShape>, kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
