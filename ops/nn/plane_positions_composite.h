// Elements that go to positions in planes, the last dimensions counted as one: what pools of
// largest elements pass back, and what undoes them.
//
//   IntoPlanes(call, "grad_output", grad_output, indices, sizes, 2, /*add=*/true, format);
//
// Owns: nothing. Threads: any.
// Errors: as below, naming the operator.
#ifndef SWITCHYARD_OPS_NN_PLANE_POSITIONS_COMPOSITE_H_
#define SWITCHYARD_OPS_NN_PLANE_POSITIONS_COMPOSITE_H_

#include <optional>

#include "switchyard/core/checked.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {

// Channels last where `like` lies so and has a batch, channels and `dims` dimensions.
inline MemoryFormat PlaneFormat(const Tensor& like, int dims) {
  return like.dim() == dims + 2 ? like.suggest_memory_format() : MemoryFormat::kContiguous;
}

// Zeros of `sizes`, whose last `dims` dimensions make a plane, with the elements of t where
// `indices` say, added up or the last of them. Errors: kInvalidArgument for indices that are not
// int64 or not of t's sizes; kNotImplemented for a dtype that is not floating; kIndexOutOfRange.
inline Tensor IntoPlanes(Call call, std::string_view name, const Tensor& t, const Tensor& indices,
                         IntSpan sizes, int dims, bool add, MemoryFormat format) {
  if (!Contains(kFloatingTypes, t.dtype())) {
    Fail(ErrorCode::kNotImplemented, call.op(), {name, " must be floating, got ", t.dtype()});
  }
  if (indices.dtype() != DType::kInt64)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"indices must be int64, got ", indices.dtype()});
  if (!SameSizes(indices.sizes(), t.sizes())) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"indices must have the sizes of ", name, " ", t.sizes(), ", got ", indices.sizes()});
  }
  int64_t planes = 1, from = 1, to = 1;
  const size_t rank = sizes.size(), kept = rank - static_cast<size_t>(dims);
  for (size_t d = 0; d < rank; ++d) {
    int64_t& count = d < kept ? planes : to;
    count = CheckedProduct(call, "the result's elements", count, sizes[d]);
    if (d >= kept) from *= t.sizes()[d];
  }
  const Tensor all = zeros({planes, to}, t.dtype(), std::nullopt, t.device());
  const Tensor at = reshape(indices, {planes, from}), values = reshape(t, {planes, from});
  add ? scatter_add_(all, 1, at, values) : scatter_(all, 1, at, values);
  return contiguous(view(all, sizes), format);
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_NN_PLANE_POSITIONS_COMPOSITE_H_
