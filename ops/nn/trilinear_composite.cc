// _trilinear by slices along unroll_dim, each by two sums of products: over dimensions that i3 has
// not, then over the others. Of 16-bit floats each sum is rounded once, and slices are added as
// they are.
// Source: ATen/native/Linear.cpp, for the order.
#include <vector>

#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

::std::vector<bool> Marked(Call call, IntSpan dims, int64_t rank) {
  ::std::vector<bool> marks(static_cast<size_t>(rank));
  for (int64_t d : dims) {
    if (d < -rank || d >= rank) {
      Fail(ErrorCode::kOutOfRange, call.op(),
           {"dimension ", d, " is out of range for ", rank, " dimensions"});
    }
    marks[static_cast<size_t>(d < 0 ? d + rank : d)] = true;
  }
  return marks;
}

Tensor WithDims(Call call, const Tensor& t, IntSpan dims, int64_t rank) {
  const ::std::vector<bool> marks = Marked(call, dims, rank);
  Tensor out = t;
  for (size_t d = 0; d < marks.size(); ++d) {
    if (marks[d]) out = unsqueeze(out, static_cast<int64_t>(d));
  }
  if (out.dim() != rank) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected ", rank, " dimensions with those put in, got sizes ", out.sizes()});
  }
  return out;
}

// Of a slice along dim, or of all where t has but one.
Tensor SliceOf(const Tensor& t, int64_t dim, int64_t i) {
  return t.size(dim) == 1 ? t : narrow(t, dim, i, 1);
}
Tensor SumOfProducts(const Tensor& a, const Tensor& b, IntSpan dims) {
  if (dims.empty()) return mul(a, b);
  const DType d = a.dtype(), wide = Contains(kHalfTypes, d) ? DType::kFloat32 : d;
  return to(sum(mul(to(a, wide), to(b, wide)), dims, true, wide), d);
}

Tensor Trilinear(Call call, const Tensor& i1, const Tensor& i2, const Tensor& i3, IntSpan expand1,
                 IntSpan expand2, IntSpan expand3, IntSpan sumdim, int64_t unroll_dim) {
  const int64_t rank = i1.dim() + static_cast<int64_t>(expand1.size());
  const Tensor a = WithDims(call, i1, expand1, rank), b = WithDims(call, i2, expand2, rank),
               c = WithDims(call, i3, expand3, rank);
  if (unroll_dim < 0 || unroll_dim >= rank) {
    Fail(ErrorCode::kOutOfRange, call.op(),
         {"unroll_dim must be 0 to ", rank - 1, ", got ", unroll_dim});
  }
  const ::std::vector<bool> summed = Marked(call, sumdim, rank);
  int64_t first[kMaxRank], all[kMaxRank];
  const int pair = Broadcast(a.sizes(), b.sizes(), first, call.op());
  const IntSpan two(first, static_cast<size_t>(pair));
  const IntSpan sizes(all, static_cast<size_t>(Broadcast(two, c.sizes(), all, call.op())));
  const ::std::vector<bool> lacking = Marked(call, expand3, rank);
  ::std::vector<int64_t> dims, of_two, of_all;
  for (size_t d = 0; d < summed.size(); ++d) {
    if (!summed[d]) continue;
    dims.push_back(static_cast<int64_t>(d));
    (lacking[d] ? of_two : of_all).push_back(dims.back());
  }
  const auto along = static_cast<size_t>(unroll_dim);
  const auto slice = [&](int64_t i) {
    return SumOfProducts(
        SumOfProducts(SliceOf(a, unroll_dim, i), SliceOf(b, unroll_dim, i), of_two),
        SliceOf(c, unroll_dim, i), of_all);
  };
  Tensor out = sizes[along] == 0 ? SumOfProducts(SumOfProducts(a, b, of_two), c, of_all) : slice(0);
  if (summed[along]) {
    for (int64_t i = 1; i < sizes[along]; ++i) add_(out, slice(i));
  } else if (sizes[along] > 1) {
    ::std::vector<Tensor> slices = {out};
    for (int64_t i = 1; i < sizes[along]; ++i) slices.push_back(slice(i));
    out = cat(slices, unroll_dim);
  }
  for (size_t k = dims.size(); k > 0; --k) out = squeeze(out, dims[k - 1]);
  return out;
}
const Composite trilinear_body{"_trilinear", Trilinear};

}  // namespace
}  // namespace sy
