// Gradients of reading and writing by index: what was read is added where it came from, what was
// overwritten has none.
#include <string_view>
#include <vector>

#include "switchyard/autograd/gradient.h"
#include "switchyard/core/error.h"
#include "switchyard/core/scalar.h"
#include "switchyard/gradients/parts.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor ZerosOf(const Grad& g, Like x) { return new_zeros(g, x.sizes()); }

// --- Reading.

Tensor GatherSelf(const Grad& g, Like self, int64_t dim, const Tensor& index, Unsaved) {
  return scatter_add(ZerosOf(g, self), dim, index, g);
}
const Gradient gather_grad{"gather", For("self", GatherSelf)};
Tensor IndexSelectSelf(const Grad& g, Like self, int64_t dim, const Tensor& index) {
  return index_select_backward(g, self.sizes(), dim, index);
}
const Gradient index_select_grad{"index_select", For("self", IndexSelectSelf)};
Tensor IndexSelf(const Grad& g, Like self, TensorList indices) {
  return index_put(ZerosOf(g, self), indices, g, true);
}
const Gradient index_grad{"index.Tensor", For("self", IndexSelf)};
const Gradient unsafe_index_grad{"_unsafe_index.Tensor", For("self", IndexSelf)};
Tensor TakeSelf(const Grad& g, Like self, const Tensor& index) {
  return put(ZerosOf(g, self), index, g, true);
}
const Gradient take_grad{"take", For("self", TakeSelf)};
Tensor MaskedSelectSelf(const Grad& g, const Tensor& self, const Tensor& mask) {
  return masked_select_backward(g, self, mask);
}
const Gradient masked_select_grad{"masked_select", For("self", MaskedSelectSelf)};
Tensor MaskedIndexSelf(const Grad& g, Like self, const Tensor& mask, TensorList indices, Unsaved) {
  return _unsafe_masked_index_put_accumulate(ZerosOf(g, self), mask, indices, g);
}
const Gradient masked_index_grad{"_unsafe_masked_index", For("self", MaskedIndexSelf)};
Tensor AddedToSelf(const Grad& g, Unsaved, Unsaved, Unsaved, Unsaved) { return g; }
Tensor MaskedPutValues(const Grad& g, Unsaved, const Tensor& mask, TensorList indices, Unsaved) {
  return _unsafe_masked_index(g, mask, indices, 0);
}
const Gradient masked_put_grad{"_unsafe_masked_index_put_accumulate", For("self", AddedToSelf),
                               For("values", MaskedPutValues)};

// --- Writing.

Tensor IndexAddSelf(const Grad& g, Unsaved, Unsaved, Unsaved, Unsaved, Unsaved) { return g; }
Tensor IndexAddSource(const Grad& g, Unsaved, int64_t dim, const Tensor& index, Like source,
                      const Scalar& alpha) {
  const Tensor part = index_select(g, dim, index);
  return mul(source.dim() > 0 ? part : reshape(part, {}), alpha);
}
const Gradient index_add_grad{"index_add", For("self", IndexAddSelf),
                              For("source", IndexAddSource)};
Tensor IndexFillSelf(const Grad& g, Unsaved, int64_t dim, const Tensor& index, Unsaved) {
  return index_fill(g, dim, index, 0);
}
Tensor IndexCopySource(const Grad& g, Unsaved, int64_t dim, const Tensor& index, Like source) {
  const Tensor part = index_select(g, dim, index);
  return source.dim() > 0 ? part : reshape(part, {});
}
const Gradient index_copy_grad{"index_copy", For("self", IndexFillSelf),
                               For("source", IndexCopySource)};
// The value is in each place once, however often the index names it.
Tensor IndexFillValue(const Grad& g, Unsaved, int64_t dim, const Tensor& index, Unsaved) {
  const Tensor filled = index_fill(zeros_like(g, DType::kBool), dim, index, true);
  return sum(where(filled, g, 0));
}
const Gradient index_fill_grad{"index_fill.int_Tensor", For("self", IndexFillSelf),
                               For("value", IndexFillValue)};
const Gradient index_fill_number_grad{"index_fill.int_Scalar", For("self", IndexFillSelf)};
Tensor IndexPutSelf(const Grad& g, Unsaved, TensorList indices, Unsaved, bool accumulate) {
  return accumulate ? g.tensor() : index_put(g, indices, new_zeros(g, {}), false);
}
Tensor IndexPutValues(const Grad& g, Unsaved, TensorList indices, Unsaved, Unsaved) {
  return index(g, indices);
}
const Gradient index_put_grad{"index_put", For("self", IndexPutSelf),
                              For("values", IndexPutValues)};
const Gradient unsafe_index_put_grad{"_unsafe_index_put", For("self", IndexPutSelf),
                                     For("values", IndexPutValues)};
Tensor PutSelf(const Grad& g, Unsaved, const Tensor& index, Like source, bool accumulate) {
  return accumulate ? g.tensor() : put(g, index, ZerosOf(g, source), false);
}
Tensor PutSource(const Grad& g, Unsaved, const Tensor& index, Like source, Unsaved) {
  return reshape(take(g, index), source.sizes());
}
const Gradient put_grad{"put", For("self", PutSelf), For("source", PutSource)};

Tensor ScatterSelf(const Grad& g, Unsaved, int64_t dim, const Tensor& index, Unsaved) {
  return scatter(g, dim, index, 0);
}
Tensor ScatterSrc(const Grad& g, Unsaved, int64_t dim, const Tensor& index, Like src) {
  // Of src, only the part that index covers was read.
  return WithZeros(gather(g, dim, index), src.sizes());
}
const Gradient scatter_grad{"scatter.src", For("self", ScatterSelf), For("src", ScatterSrc)};
const Gradient scatter_value_grad{"scatter.value", For("self", ScatterSelf)};
const Gradient scatter_add_grad{"scatter_add", For("self", AddedToSelf), For("src", ScatterSrc)};

Tensor MaskedScatterSelf(const Grad& g, Unsaved, const Tensor& mask, Unsaved) {
  return masked_fill(g, mask, 0);
}
Tensor MaskedScatterSource(const Grad& g, Unsaved, const Tensor& mask, Like source) {
  return masked_scatter_backward(g, mask, source.sizes());
}
const Gradient masked_scatter_grad{"masked_scatter", For("self", MaskedScatterSelf),
                                   For("source", MaskedScatterSource)};

// What these pass back is read from what is given to them.
Tensor MaskedScatterBackwardGrad(const Grad& g, Like grad, const Tensor& mask, Unsaved) {
  return masked_scatter(new_zeros(g, grad.sizes()), mask, g);
}
const Gradient masked_scatter_backward_grad{"masked_scatter_backward",
                                            For("grad_output", MaskedScatterBackwardGrad)};
Tensor SelectBackwardGrad(const Grad& g, Unsaved, Unsaved, int64_t dim, const Tensor& index) {
  return index_select(g, dim, index);
}
const Gradient index_select_backward_grad{"index_select_backward", For("grad", SelectBackwardGrad)};
Tensor ReductionBackwardGrad(const Grad& g, Unsaved, int64_t dim, const Tensor& indices, Unsaved,
                             bool keepdim) {
  if (g.dim() == 0) return g;
  if (keepdim) return gather(g, dim, indices);
  return squeeze(gather(g, dim, unsqueeze(indices, dim)), dim);
}
const Gradient reduction_backward_grad{"value_selecting_reduction_backward",
                                       For("grad", ReductionBackwardGrad)};

const NotDifferentiable positions{"nonzero",
                                  "argwhere",
                                  "nonzero_static",
                                  "searchsorted.Tensor",
                                  "searchsorted.Scalar",
                                  "bucketize.Tensor",
                                  "bucketize.Scalar",
                                  "isin.Tensor_Tensor",
                                  "isin.Tensor_Scalar",
                                  "isin.Scalar_Tensor",
                                  "bincount",
                                  "histc",
                                  "histogram.bins_tensor",
                                  "histogram.bin_ct",
                                  "histogramdd",
                                  "histogramdd.int_bins",
                                  "histogramdd.TensorList_bins",
                                  "repeat_interleave.Tensor"};

}  // namespace
}  // namespace sy
