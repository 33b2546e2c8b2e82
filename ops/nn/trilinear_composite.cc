// _trilinear by products and sums of slices.
#include <algorithm>
#include <vector>

#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

constexpr int64_t kAtOnce = 1 << 20;  // elements of products that are summed together

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
Tensor Summed(const Tensor& a, const Tensor& b, const Tensor& c, IntSpan dims) {
  const Tensor product = mul(mul(a, b), c);
  return dims.empty() ? product : sum(product, dims, true, a.dtype());
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
  ::std::vector<int64_t> dims;
  for (size_t d = 0; d < summed.size(); ++d) {
    if (summed[d]) dims.push_back(static_cast<int64_t>(d));
  }
  Tensor out;
  const auto along = static_cast<size_t>(unroll_dim);
  if (NumElements(sizes) <= kAtOnce || sizes[along] < 2) {
    out = Summed(a, b, c, dims);
  } else {
    ::std::vector<Tensor> slices;
    for (int64_t i = 0; i < sizes[along]; ++i) {
      const Tensor slice = Summed(SliceOf(a, unroll_dim, i), SliceOf(b, unroll_dim, i),
                                  SliceOf(c, unroll_dim, i), dims);
      if (!summed[along]) {
        slices.push_back(slice);
      } else if (i == 0) {
        out = slice;
      } else {
        add_(out, slice);
      }
    }
    if (!summed[along]) out = cat(slices, unroll_dim);
  }
  for (size_t k = dims.size(); k > 0; --k) out = squeeze(out, dims[k - 1]);
  return out;
}
const Composite trilinear_body{"_trilinear", Trilinear};

}  // namespace
}  // namespace sy
