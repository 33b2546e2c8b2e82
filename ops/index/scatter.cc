// Writes elements of `src`, or one number, into self along `dim`: self[index[i][j]][j] = src[i][j]
// for dim 0. Where a position occurs twice, the last one wins; with `reduce` ("add", "multiply")
// all of them are combined with what is there.
//   self: any sizes; index: int64 (or int32), as many dimensions, no size above self's except at
//   dim, nor above src's, each 0 … n-1; src: dtype of self   →   like self
// Errors: kInvalidArgument when ranks, sizes or dtypes do not fit, for another reduce, or when self
// overlaps index or src; kOutOfRange for dim; kIndexOutOfRange for a position out of range. All
// positions are tested before anything is written.
// scatter_add adds; scatter_reduce takes 'sum', 'prod', 'mean', 'amax' or 'amin', and without
// include_self what self has in a place that anything goes to does not count.
// Example: sy::scatter_(x, 1, index, src)
// Source: ATen scatter, scatter_add, scatter_reduce.
#include "switchyard/ops/index/reduce_name.h"
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

// src: undefined for a number.
void Check(ShapeContext& r, const TensorBase& self, int64_t& dim, const TensorBase& index,
           const TensorBase* src) {
  dim = r.WrapDim(dim, self);
  r.OutputStartsAsSelf(self);
  r.SetOverlap(OverlapPolicy::kForbid);
  if (index.numel() != 0) RequireIndexDType(r, index);
  if (src != nullptr) RequireSameDType(r, self, *src, "self", "src");
  if (index.numel() == 0) return;
  RequireIndexFits(r, self, index, "self", dim);
  if (src != nullptr) RequireIndexFits(r, *src, index, "src", -1);
}

void RequireReduce(const ShapeContext& r, std::string_view reduce) {
  if (reduce != "add" && reduce != "multiply")
    r.Fail({"reduce must be 'add' or 'multiply', got '", reduce, "'"});
}

void SrcShape(ShapeContext& r, const TensorBase& self, int64_t& dim, const TensorBase& index,
              const TensorBase& src) {
  Check(r, self, dim, index, &src);
}

void ValueShape(ShapeContext& r, const TensorBase& self, int64_t& dim, const TensorBase& index,
                const Scalar& value) {
  Check(r, self, dim, index, nullptr);
  RequireStorable(r, value, self.dtype(), "value");
}

void ReduceShapeFunction(ShapeContext& r, const TensorBase& self, int64_t& dim,
                         const TensorBase& index, const TensorBase& src, std::string_view reduce) {
  Check(r, self, dim, index, &src);
  RequireReduce(r, reduce);
}

void ValueReduceShape(ShapeContext& r, const TensorBase& self, int64_t& dim,
                      const TensorBase& index, const Scalar& value, std::string_view reduce) {
  ValueShape(r, self, dim, index, value);
  RequireReduce(r, reduce);
}

void ReduceTwoShape(ShapeContext& r, const TensorBase& self, int64_t& dim, const TensorBase& index,
                    const TensorBase& src, std::string_view reduce, bool /*include_self*/) {
  Check(r, self, dim, index, &src);
  RequireReduction(r, self, reduce, index.numel() != 0);
}

}  // namespace

const Operator scatter_src_op{
    "scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", SrcShape,
    kInPlace | kOut};
const Operator scatter_value_op{
    "scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor", ValueShape,
    kInPlace | kOut};
const Operator scatter_reduce_op{
    "scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor",
    ReduceShapeFunction, kInPlace | kOut};
const Operator scatter_value_reduce_op{
    "scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> "
    "Tensor",
    ValueReduceShape, kInPlace | kOut};
const Operator scatter_add_op{
    "scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", SrcShape,
    kInPlace | kOut};
const Operator scatter_reduce_two_op{
    "scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool "
    "include_self=True) -> Tensor",
    ReduceTwoShape, kInPlace | kOut};

}  // namespace sy
