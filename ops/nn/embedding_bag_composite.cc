// embedding_bag by its rows, index_add and index_reduce. 16-bit floats are summed in float.
// Source: ATen/native/EmbeddingBag.cpp.

#include <optional>
#include <tuple>

#include "ops/nn/bags_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using Four = ::std::tuple<Tensor, Tensor, Tensor, Tensor>;
constexpr int64_t kSum = 0, kMaximum = 2;

void RequireOffsets(Call call, const Tensor& offsets, int64_t n) {
  if (offsets.numel() == 0) return;
  const int64_t first = item(select(offsets, 0, 0)).To<int64_t>(),
                last = item(select(offsets, 0, -1)).To<int64_t>();
  if (first != 0 || last > n) {
    Fail(ErrorCode::kInvalidValue, call.op(),
         {"offsets must start at 0 and end at most at ", n, ", the number of indices, got ", first,
          " and ", last});
  }
  const int64_t pairs = offsets.numel() - 1;
  if (pairs == 0) return;
  const Tensor falls = lt(narrow(offsets, 0, 1, pairs), narrow(offsets, 0, 0, pairs));
  if (item(any(falls)).To<bool>())
    Fail(ErrorCode::kInvalidValue, call.op(), {"offsets must ascend"});
}

// The smallest position of each bag's rows that `has`, [k, n], names; of no row: the last one's.
Tensor FirstOf(const Tensor& has, const Tensor& bag, IntSpan sizes) {
  const int64_t n = has.size(0);
  const Tensor positions = unsqueeze(arange(n, DType::kInt64, ::std::nullopt, has.device()), 1);
  const Tensor zero = zeros(sizes, DType::kInt64, ::std::nullopt, has.device());
  return index_reduce(zero, 0, bag, where(has, positions, Scalar(n - 1)), "amin", false);
}

// The largest of each bag, and the index of the first row that has it. NaN counts where it comes
// first, as ATen's does. taken: [k], the rows that are no padding.
void Maxima(const Tensor& out, const Tensor& at, const Tensor& rows, const Tensor& indices,
            const Tensor& bag, const Tensor& taken, const Tensor& empty_bags) {
  zero_(at);
  zero_(out);
  if (indices.numel() == 0 || out.numel() == 0) return;
  const Tensor counted = unsqueeze(taken, 1), nan = isnan(rows);
  const Tensor candidates =
      masked_fill(rows, logical_or(nan, logical_not(counted)), -__builtin_inf());
  const Tensor most = index_reduce(out, 0, bag, candidates, "amax", false);
  const Tensor is_most = logical_and(eq(candidates, index_select(most, 0, bag)), counted);
  const int64_t bags = out.size(0), one_each[] = {bags, 1};
  const Tensor start = FirstOf(counted, bag, one_each), row = view(start, {bags});
  const Tensor starts_with_nan = index_select(nan, 0, row);
  const Tensor first = where(starts_with_nan, start, FirstOf(is_most, bag, out.sizes()));
  const Tensor found = index_select(indices, 0, reshape(first, {first.numel()}));
  const Tensor largest = where(starts_with_nan, index_select(rows, 0, row), most);
  copy_(out, masked_fill(largest, empty_bags, 0));
  copy_(at, masked_fill(view(found, first.sizes()), empty_bags, 0));
}

void Bags(Call call, const Tensor& out, const Tensor& bag_of_each, const Tensor& counts,
          const Tensor& at, const Tensor& weight, const Tensor& indices, const Tensor& offsets,
          bool, int64_t mode, bool, const Tensor& per_sample_weights, bool /*include_last_offset*/,
          int64_t padding_idx) {
  RequireOffsets(call, offsets, indices.numel());
  const int64_t bags = out.size(0);
  const Tensor rows = index_select(weight, 0, indices);
  if (bags == 0) {
    zero_(bag_of_each), zero_(counts), zero_(at);
    return;
  }
  const Tensor bag = BagOfEach(indices, narrow(offsets, 0, 0, bags));
  if (bag_of_each.numel() != 0) copy_(bag_of_each, bag);
  const Tensor padding = eq(indices, padding_idx);
  if (mode == kSum) {
    zero_(counts), zero_(at);
  } else {
    const Tensor taken = to(logical_not(padding), DType::kInt64);
    copy_(counts, index_add_(new_zeros(taken, {bags}), 0, bag, taken));
  }
  const bool padded = padding_idx >= 0;
  if (mode == kMaximum) {
    return Maxima(out, at, rows, indices, bag, logical_not(padding), unsqueeze(eq(counts, 0), 1));
  }
  const DType dtype = weight.dtype() == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32;
  Tensor added = to(rows, dtype);
  if (per_sample_weights.defined()) added = mul(added, unsqueeze(to(per_sample_weights, dtype), 1));
  if (padded) added = masked_fill(added, unsqueeze(padding, 1), 0);
  const Tensor sums = index_add_(new_zeros(added, out.sizes()), 0, bag, added);
  if (mode == kSum) {
    copy_(out, sums);
  } else {
    copy_(at, counts);
    copy_(out, div(sums, unsqueeze(clamp_min(to(counts, dtype), 1), 1)));
  }
}

Four EmbeddingBag(Call, const Tensor& weight, const Tensor& indices, const Tensor& offsets,
                  bool by_frequency, int64_t mode, bool sparse, const Tensor& per_sample_weights,
                  bool include_last_offset) {
  return _embedding_bag_forward_only(weight, indices, offsets, by_frequency, mode, sparse,
                                     per_sample_weights, include_last_offset);
}
Four WithPadding(Call call, const Tensor& weight, const Tensor& indices, const Tensor& offsets,
                 bool by_frequency, int64_t mode, bool sparse, const Tensor& per_sample_weights,
                 bool include_last_offset, Optional<int64_t> padding_idx) {
  int64_t padding = -1;
  if (padding_idx.has_value()) {
    const int64_t n = weight.dim() == 0 ? 0 : weight.size(0);
    padding = *padding_idx;
    if (padding < -n || padding >= n) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"padding_idx must be ", -n, " to ", n - 1, ", got ", padding});
    }
    if (padding < 0) padding += n;
  }
  return _embedding_bag_forward_only(weight, indices, offsets, by_frequency, mode, sparse,
                                     per_sample_weights, include_last_offset, padding);
}

const Composite bags_body{"_embedding_bag", Bags};
const Composite forward_only_body{"_embedding_bag_forward_only", Bags};
const Composite embedding_bag_body{"embedding_bag", EmbeddingBag};
const Composite padding_body{"embedding_bag.padding_idx", WithPadding};

}  // namespace
}  // namespace sy
