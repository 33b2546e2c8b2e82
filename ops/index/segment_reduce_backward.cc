// What segment_reduce passes back to data: grad of a segment's result to each of its slices, times
// what the reduction makes of it. Slices that are in no segment get 0; those that share an extreme
// share its gradient, where it is positive, as ATen has it.
//   grad, output: of the sizes of segment_reduce's result; data, reduce, lengths or offsets, axis,
//   initial: as segment_reduce takes them   →   like data
// Errors: kInvalidArgument when shapes or dtypes do not fit or both or none of lengths and offsets
// are given; kInvalidValue for segments that do not lie within data.
// Example: sy::_segment_reduce_backward(y, y, x, "sum", index)
// Source: ATen _segment_reduce_backward.
#include <algorithm>

#include "switchyard/core/shape.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void SegmentReduceBackwardShape(ShapeContext& r, const TensorBase& grad, const TensorBase& output,
                                const TensorBase& data, std::string_view reduce,
                                const TensorBase& lengths, const TensorBase& offsets, int64_t& axis,
                                const std::optional<Scalar>& /*initial*/) {
  axis = r.WrapDim(axis, data);
  if (lengths.defined() == offsets.defined()) r.Fail({"expected either lengths or offsets"});
  const TensorBase& given = lengths.defined() ? lengths : offsets;
  const std::string_view name = lengths.defined() ? "lengths" : "offsets";
  RequireIndexDType(r, given);
  RequireDType(r, data, kFloatingTypes, "data");
  RequireSameDType(r, data, grad, "data", "grad");
  RequireSameDType(r, data, output, "data", "output");
  if (reduce != "sum" && reduce != "mean" && reduce != "min" && reduce != "max" && reduce != "prod")
    r.Fail({"reduce must be 'sum', 'mean', 'min', 'max' or 'prod', got '", reduce, "'"});
  if (data.dim() == 0 || axis != given.dim() - 1) {
    r.Fail({"axis must be the last dimension of ", name, " and one of data, got ", axis,
            " for sizes ", given.sizes(), " and ", data.sizes()});
  }
  int64_t* sizes = r.Ints(data.dim());
  std::copy(data.sizes().begin(), data.sizes().end(), sizes);
  for (int64_t d = 0; d < axis; ++d) {
    if (given.sizes()[d] != sizes[d]) {
      r.Fail({"the batch dimensions of data and ", name, " differ: ", data.sizes(), " and ",
              given.sizes()});
    }
  }
  sizes[axis] = given.sizes()[axis] - (offsets.defined() ? 1 : 0);
  if (sizes[axis] < 0) r.Fail({"offsets must have at least one element along axis"});
  const IntSpan expected(sizes, data.sizes().size());
  if (!SameSizes(grad.sizes(), expected))
    r.Fail({"grad must have sizes ", expected, ", got ", grad.sizes()});
  if (!SameSizes(output.sizes(), expected))
    r.Fail({"output must have sizes ", expected, ", got ", output.sizes()});
  r.Output(data.sizes(), data.dtype());
}

}  // namespace

const Operator segment_reduce_backward_op{
    "_segment_reduce_backward(Tensor grad, Tensor output, Tensor data, str reduce, *, Tensor? "
    "lengths=None, Tensor? offsets=None, int axis=0, Scalar? initial=None) -> Tensor",
    SegmentReduceBackwardShape, kOut};

}  // namespace sy
