// Sums, means or maxima of bags of weight's rows: bag i has the rows of indices[offsets[i]] …
// indices[offsets[i + 1] - 1], without those that are padding_idx; an empty bag gives zeros.
//   weight: [n, d], floating; indices: [k], offsets: [bags], int64 or int32, from 0, ascending, at
//   most k; with include_last_offset offsets has the end of the last bag too; mode: 0 sums, 1
//   means, 2 maxima; per_sample_weights: [k], of weight's dtype, factors of the rows of sums
//   →   [bags, d], and what gradients need: the bag of each index (empty where sums can do without,
//   as ATen's), the number of rows of each bag (zeros for sums), and for maxima the index that gave
//   each, [bags, d], else the numbers again
// Errors: kInvalidArgument for sizes, dtypes and modes that do not fit; kInvalidValue for offsets
// that do not start at 0 or end behind k; kIndexOutOfRange for an index out of range;
// embedding_bag: also for a padding_idx out of range.
// Example: sy::embedding_bag(x, index, sy::zeros({1}, sy::DType::kInt64))
// Source: ATen embedding_bag, _embedding_bag, _embedding_bag_forward_only.
#include <algorithm>

#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

constexpr int64_t kSum = 0, kMaximum = 2;

template <bool kForwardOnly>
void BagShape(ShapeContext& r, const TensorBase& weight, const TensorBase& indices,
              const TensorBase& offsets, bool /*by_frequency*/, int64_t mode, bool /*sparse*/,
              const TensorBase& per_sample_weights, bool include_last_offset, int64_t padding_idx) {
  RequireIndexDType(r, indices);
  RequireIndexDType(r, offsets);
  RequireDType(r, weight, kFloatingTypes, "weight");
  if (weight.dim() != 2) r.Fail({"weight must be a matrix, got sizes ", weight.sizes()});
  if (indices.dim() != 1 || offsets.dim() != 1) {
    r.Fail(
        {"indices and offsets must be 1-d, got sizes ", indices.sizes(), " and ", offsets.sizes()});
  }
  if (mode < kSum || mode > kMaximum) r.Fail({"mode must be 0, 1 or 2, got ", mode});
  const bool weighted = per_sample_weights.defined();
  if (weighted) {
    if (mode != kSum) r.Fail({"per_sample_weights are for sums (mode 0), got mode ", mode});
    RequireSameDType(r, weight, per_sample_weights, "weight", "per_sample_weights");
    if (per_sample_weights.dim() != 1 || per_sample_weights.numel() != indices.numel()) {
      r.Fail({"per_sample_weights must have indices' sizes, ", indices.sizes(), ", got ",
              per_sample_weights.sizes()});
    }
  }
  const int64_t given = offsets.numel(), bags = given - (include_last_offset ? 1 : 0);
  if (bags < 0) r.Fail({"offsets must have at least one element with include_last_offset"});
  const DType index = indices.dtype() == DType::kInt32 && offsets.dtype() == DType::kInt32
                          ? DType::kInt32
                          : DType::kInt64;
  r.Output({bags, weight.sizes()[1]}, weight.dtype());
  const bool fast = mode == kSum && padding_idx < 0 && weight.dtype() != DType::kFloat64 &&
                    weight.strides()[1] == 1 && (!weighted || per_sample_weights.strides()[0] == 1);
  r.Output({fast ? 0 : indices.numel()}, index);
  const int64_t counted = kForwardOnly && mode == kSum ? given : bags;
  r.Output({counted}, index);
  if (mode == kMaximum) {
    r.Output({bags, weight.sizes()[1]}, index);
  } else {
    r.Output({counted}, index);
  }
}

}  // namespace

const Operator embedding_bag_of_gradients_op{
    "_embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, "
    "int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool "
    "include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)",
    Outputs<4>(BagShape<false>), kOut};
const Operator embedding_bag_forward_only_op{
    "_embedding_bag_forward_only(Tensor weight, Tensor indices, Tensor offsets, bool "
    "scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, "
    "bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)",
    Outputs<4>(BagShape<true>), kOut};
const Operator embedding_bag_op{
    "embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, "
    "int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool "
    "include_last_offset=False) -> (Tensor, Tensor, Tensor, Tensor)",
    KeyRule::kFirst};
const Operator embedding_bag_padding_op{
    "embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, bool "
    "scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, bool "
    "include_last_offset, int? padding_idx) -> (Tensor, Tensor, Tensor, Tensor)",
    KeyRule::kFirst};

}  // namespace sy
