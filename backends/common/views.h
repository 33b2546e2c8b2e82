// Views of tensors as kernels want them: of other sizes and strides, of the same memory.
//
// Owns: nothing but the views. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_VIEWS_H_
#define SWITCHYARD_BACKENDS_COMMON_VIEWS_H_

#include "switchyard/core/tensor.h"

namespace sy {

// A dimension of one element where there is none.
Tensor AtLeast1d(const Tensor& t);
// With a dimension of one element at dim, where reducing it took that away: of `rank` dimensions.
Tensor WithDim(const Tensor& t, int64_t dim, int64_t rank);
// A row-major tensor's elements as a vector.
Tensor Flat(const Tensor& t);
// With the dimensions in another order.
Tensor Permuted(const Tensor& t, std::span<const int> order);
// With channels, dimension 1, in front.
Tensor ChannelsFirst(const Tensor& t);
// Both row-major, or both with channels last.
bool LieAlike(const Tensor& a, const Tensor& b);
// With `dim` behind all others.
Tensor WithLast(const Tensor& t, int64_t dim);
// Repeated to `sizes`, to which its own expand.
Tensor Expanded(const Tensor& t, IntSpan sizes);
// A 1-d or 0-d index of slices along dim, as one of elements of tensors of these sizes.
Tensor IndexOfSlices(const Tensor& index, IntSpan sizes, int64_t dim);

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_VIEWS_H_
