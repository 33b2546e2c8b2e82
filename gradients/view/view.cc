// Gradients of the frequent views, by the view that undoes them; the engine knows what to do for
// the others.
#include <vector>

#include "switchyard/autograd/gradient.h"
#include "switchyard/core/shape.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor ViewSelf(const Grad& g, Like self, Unsaved) { return reshape(g, self.sizes()); }
const Gradient view_grad{"view", For("self", ViewSelf)};
const Gradient unsafe_view_grad{"_unsafe_view", For("self", ViewSelf)};
const Gradient reshape_copy_grad{"_reshape_copy", For("self", ViewSelf)};
Tensor TSelf(const Grad& g, Unsaved) { return t(g); }
const Gradient t_grad{"t", For("self", TSelf)};
Tensor TransposeSelf(const Grad& g, Unsaved, int64_t dim0, int64_t dim1) {
  return transpose(g, dim0, dim1);
}
const Gradient transpose_grad{"transpose.int", For("self", TransposeSelf)};
Tensor PermuteSelf(const Grad& g, Unsaved, IntSpan dims) {
  const int64_t rank = static_cast<int64_t>(dims.size());
  std::vector<int64_t> back(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    back[static_cast<size_t>(dims[i] < 0 ? dims[i] + rank : dims[i])] = static_cast<int64_t>(i);
  }
  return permute(g, back);
}
const Gradient permute_grad{"permute", For("self", PermuteSelf)};
// The engine sums over what was repeated.
Tensor ExpandSelf(const Grad& g, Unsaved, Unsaved, Unsaved) { return g; }
const Gradient expand_grad{"expand", For("self", ExpandSelf)};
Tensor UnsqueezeSelf(const Grad& g, Unsaved, int64_t dim) { return squeeze(g, dim); }
const Gradient unsqueeze_grad{"unsqueeze", For("self", UnsqueezeSelf)};
Tensor SqueezeSelf(const Grad& g, Like self) { return reshape(g, self.sizes()); }
const Gradient squeeze_grad{"squeeze", For("self", SqueezeSelf)};
const Gradient squeeze_dim_grad{"squeeze.dim", For("self", ViewSelf)};
const Gradient squeeze_dims_grad{"squeeze.dims", For("self", ViewSelf)};
Tensor SelectSelf(const Grad& g, Like self, int64_t dim, int64_t index) {
  return select_backward(g, self.sizes(), dim, index);
}
const Gradient select_grad{"select.int", For("self", SelectSelf)};
Tensor SliceSelf(const Grad& g, Like self, int64_t dim, Optional<int64_t> start,
                 Optional<int64_t> end, int64_t step) {
  return slice_backward(g, self.sizes(), dim, start ? *start : 0, end ? *end : self.size(dim),
                        step);
}
const Gradient slice_grad{"slice.Tensor", For("self", SliceSelf)};
Tensor DiagonalSelf(const Grad& g, Like self, int64_t offset, int64_t dim1, int64_t dim2) {
  return diagonal_backward(g, self.sizes(), offset, dim1, dim2);
}
const Gradient diagonal_grad{"diagonal", For("self", DiagonalSelf)};
Tensor UnfoldSelf(const Grad& g, Like self, int64_t dim, int64_t size, int64_t step) {
  return unfold_backward(g, self.sizes(), dim, size, step);
}
const Gradient unfold_grad{"unfold", For("self", UnfoldSelf)};

// What these pass back is a view of what is given to them, filled up with zeros.
Tensor SelectPart(const Grad& g, Unsaved, Unsaved, int64_t dim, int64_t index) {
  return select(g, dim, index);
}
const Gradient select_backward_grad{"select_backward", For("grad_output", SelectPart)};
Tensor SliceBackwardGrad(const Grad& g, Unsaved, Unsaved, int64_t dim, int64_t start, int64_t end,
                         int64_t step) {
  return slice(g, dim, start, end, step);
}
const Gradient slice_backward_grad{"slice_backward", For("grad_output", SliceBackwardGrad)};
Tensor DiagonalPart(const Grad& g, Unsaved, Unsaved, int64_t offset, int64_t dim1, int64_t dim2) {
  return diagonal(g, offset, dim1, dim2);
}
const Gradient diagonal_backward_grad{"diagonal_backward", For("grad_output", DiagonalPart)};
Tensor UnfoldBackwardGrad(const Grad& g, Unsaved, Unsaved, int64_t dim, int64_t size,
                          int64_t step) {
  return unfold(g, dim, size, step);
}
const Gradient unfold_backward_grad{"unfold_backward", For("grad_in", UnfoldBackwardGrad)};

// --- Copies of views: the view, copied.

Tensor PermuteCopy(const Tensor& self, IntSpan dims) { return clone(permute(self, dims)); }
const Decomposition permute_copy_parts{"permute_copy", PermuteCopy};
Tensor ExpandCopy(const Tensor& self, IntSpan size, bool implicit) {
  return clone(expand(self, size, implicit));
}
const Decomposition expand_copy_parts{"expand_copy", ExpandCopy};
Tensor ViewCopy(const Tensor& self, IntSpan size) { return clone(view(self, size)); }
const Decomposition view_copy_parts{"view_copy", ViewCopy};
Tensor SelectCopy(const Tensor& self, int64_t dim, int64_t index) {
  return clone(select(self, dim, index));
}
const Decomposition select_copy_parts{"select_copy.int", SelectCopy};
Tensor SliceCopy(const Tensor& self, int64_t dim, Optional<int64_t> start, Optional<int64_t> end,
                 int64_t step) {
  return clone(slice(self, dim, start, end, step));
}
const Decomposition slice_copy_parts{"slice_copy.Tensor", SliceCopy};
Tensor DiagonalCopy(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  return clone(diagonal(self, offset, dim1, dim2));
}
const Decomposition diagonal_copy_parts{"diagonal_copy", DiagonalCopy};
Tensor SqueezeCopy(const Tensor& self) { return clone(squeeze(self)); }
const Decomposition squeeze_copy_parts{"squeeze_copy", SqueezeCopy};
Tensor SqueezeCopyDim(const Tensor& self, int64_t dim) { return clone(squeeze(self, dim)); }
const Decomposition squeeze_copy_dim_parts{"squeeze_copy.dim", SqueezeCopyDim};
Tensor SqueezeCopyDims(const Tensor& self, IntSpan dims) { return clone(squeeze(self, dims)); }
const Decomposition squeeze_copy_dims_parts{"squeeze_copy.dims", SqueezeCopyDims};
Tensor UnsqueezeCopy(const Tensor& self, int64_t dim) { return clone(unsqueeze(self, dim)); }
const Decomposition unsqueeze_copy_parts{"unsqueeze_copy", UnsqueezeCopy};
Tensor TransposeCopy(const Tensor& self, int64_t dim0, int64_t dim1) {
  return clone(transpose(self, dim0, dim1));
}
const Decomposition transpose_copy_parts{"transpose_copy.int", TransposeCopy};
Tensor TCopy(const Tensor& self) { return clone(t(self)); }
const Decomposition t_copy_parts{"t_copy", TCopy};
Tensor UnfoldCopy(const Tensor& self, int64_t dim, int64_t size, int64_t step) {
  return clone(unfold(self, dim, size, step));
}
const Decomposition unfold_copy_parts{"unfold_copy", UnfoldCopy};
Tensor AsStridedCopy(const Tensor& self, IntSpan size, IntSpan stride, Optional<int64_t> offset) {
  return clone(as_strided(self, size, stride, offset));
}
const Decomposition as_strided_copy_parts{"as_strided_copy", AsStridedCopy};
Tensor AliasCopy(const Tensor& self) { return clone(self); }
const Decomposition alias_copy_parts{"alias_copy", AliasCopy};
const NotDifferentiable detached{"detach_copy"};

// --- A copy with another tensor in a part of it.

Tensor SelectScatterSelf(const Grad& g, Unsaved, Like src, int64_t dim, int64_t index) {
  return select_scatter(g, new_zeros(g, src.sizes()), dim, index);
}
const Gradient select_scatter_grad{"select_scatter", For("self", SelectScatterSelf),
                                   For("src", SelectPart)};
Tensor SliceScatterSelf(const Grad& g, Unsaved, Like src, int64_t dim, Optional<int64_t> start,
                        Optional<int64_t> end, int64_t step) {
  return slice_scatter(g, new_zeros(g, src.sizes()), dim, start, end, step);
}
Tensor SliceScatterSrc(const Grad& g, Unsaved, Unsaved, int64_t dim, Optional<int64_t> start,
                       Optional<int64_t> end, int64_t step) {
  return slice(g, dim, start, end, step);
}
const Gradient slice_scatter_grad{"slice_scatter", For("self", SliceScatterSelf),
                                  For("src", SliceScatterSrc)};
Tensor DiagonalScatterSelf(const Grad& g, Unsaved, Like src, int64_t offset, int64_t dim1,
                           int64_t dim2) {
  return diagonal_scatter(g, new_zeros(g, src.sizes()), offset, dim1, dim2);
}
const Gradient diagonal_scatter_grad{"diagonal_scatter", For("self", DiagonalScatterSelf),
                                     For("src", DiagonalPart)};

// As in ATen, of what lies in rows: places count elements of memory.
Tensor AsStridedScatterSelf(const Grad& g, Unsaved, Like src, IntSpan size, IntSpan stride,
                            Optional<int64_t> offset) {
  return as_strided_scatter(contiguous(g), new_zeros(g, src.sizes()), size, stride, offset);
}
Tensor AsStridedScatterSrc(const Grad& g, Unsaved, Unsaved, IntSpan size, IntSpan stride,
                           Optional<int64_t> offset) {
  return as_strided(contiguous(g), size, stride, offset);
}
const Gradient as_strided_scatter_grad{"as_strided_scatter", For("self", AsStridedScatterSelf),
                                       For("src", AsStridedScatterSrc)};
Tensor NarrowCopy(const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  return clone(narrow(self, dim, start, length));
}
const Decomposition narrow_copy_parts{"narrow_copy", NarrowCopy};
Tensor ReshapeAliasCopy(const Tensor& self, IntSpan size, IntSpan stride) {
  return clone(as_strided(self, size, stride));
}
const Decomposition reshape_alias_copy_parts{"_reshape_alias_copy", ReshapeAliasCopy};

}  // namespace
}  // namespace sy
