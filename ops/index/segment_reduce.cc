// Reduces neighbouring slices of data along `axis`, segment by segment.
//   data: floating, [b.., n, r..]; lengths: integers, [b.., k], how many slices each segment has;
//   or offsets: [b.., k + 1], where segments begin and end; axis: the last dimension of lengths;
//   reduce: 'sum', 'mean', 'min', 'max' or 'prod'   →   [b.., k, r..]
// initial: what each segment starts with; without it an empty segment is 0 (sum), 1 (prod), NaN
// (mean) or an infinity. unsafe: lengths may leave slices out at the end.
// Errors: kInvalidArgument when shapes or dtypes do not fit or both or none of lengths and offsets
// are given; kInvalidValue for segments that do not lie within data.
// Example: sy::segment_reduce(x, "sum", index)
// Source: ATen segment_reduce.
#include <algorithm>

#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void SegmentReduceShape(ShapeContext& r, const TensorBase& data, std::string_view reduce,
                        const TensorBase& lengths, const TensorBase& indices,
                        const TensorBase& offsets, int64_t& axis, bool /*unsafe*/,
                        const std::optional<Scalar>& /*initial*/) {
  axis = r.WrapDim(axis, data);
  if (data.numel() == 0) r.Fail({"data has no elements; its sizes are ", data.sizes()});
  if (indices.defined()) r.Fail({"indices are not supported, give lengths or offsets"});
  if (lengths.defined() == offsets.defined()) r.Fail({"expected either lengths or offsets"});
  const TensorBase& given = lengths.defined() ? lengths : offsets;
  RequireIndexDType(r, given);
  RequireDType(r, data, kFloatingTypes, "data");
  if (reduce != "sum" && reduce != "mean" && reduce != "min" && reduce != "max" && reduce != "prod")
    r.Fail({"reduce must be 'sum', 'mean', 'min', 'max' or 'prod', got '", reduce, "'"});
  if (axis != given.dim() - 1) {
    r.Fail({"axis must be the last dimension of ", lengths.defined() ? "lengths" : "offsets",
            ", got ", axis, " for sizes ", given.sizes()});
  }
  int64_t* sizes = r.Ints(data.dim());
  std::copy(data.sizes().begin(), data.sizes().end(), sizes);
  for (int64_t d = 0; d < axis; ++d) {
    if (given.sizes()[d] != sizes[d]) {
      r.Fail({"the batch dimensions of data and ", lengths.defined() ? "lengths" : "offsets",
              " differ: ", data.sizes(), " and ", given.sizes()});
    }
  }
  sizes[axis] = given.sizes()[axis] - (offsets.defined() ? 1 : 0);
  if (sizes[axis] < 0) r.Fail({"offsets must have at least one element along axis"});
  r.Output(IntSpan(sizes, data.sizes().size()), data.dtype());
}

}  // namespace

const Operator segment_reduce_op{
    "segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, "
    "Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor",
    SegmentReduceShape, kOut};

}  // namespace sy
