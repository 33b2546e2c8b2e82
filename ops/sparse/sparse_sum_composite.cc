// Reductions of sparse tensors: of the values alone, or of those that share what is left of their
// positions.
#include <algorithm>
#include <optional>

#include "ops/sparse/held_composite.h"

namespace sy {
namespace {

Tensor SumAll(Call, const Tensor& self, Optional<DType> dtype) {
  return sum(FindSparse(self)->values, dtype);
}

// In order, each once, 0 … rank - 1.
IntVector Wrapped(Call call, const Tensor& self, IntSpan dims) {
  IntVector all;
  all.reserve(dims.size());
  for (const int64_t d : dims) all.push_back(WrapDimOf(call, d, self));
  std::ranges::sort(all);
  if (std::ranges::adjacent_find(all) != all.end())
    Fail(ErrorCode::kInvalidArgument, call.op(), {"a dimension appears twice in ", dims});
  return all;
}

Tensor SumCoo(Call call, const Tensor& self, IntSpan given, bool keepdim, Optional<DType> dtype) {
  const SparseState& s = *FindSparse(self);
  const IntVector dims = Wrapped(call, self, given);
  const auto gone = [&](int64_t d) { return std::ranges::binary_search(dims, d); };
  IntVector dense, sizes;
  std::vector<Tensor> rows;
  const Tensor no_row = new_zeros(s.indices, {s.nnz()});
  int64_t kept = 0;
  for (int64_t d = 0; d < self.dim(); ++d) {
    const bool sparse = d < s.sparse_dim;
    if (!gone(d) || keepdim) sizes.push_back(gone(d) ? 1 : self.sizes()[static_cast<size_t>(d)]);
    if (sparse && (!gone(d) || keepdim)) rows.push_back(gone(d) ? no_row : select(s.indices, 0, d));
    if (sparse && !gone(d)) ++kept;
    if (!sparse && gone(d)) dense.push_back(d - s.sparse_dim + 1);
  }
  const Tensor held = dense.empty() ? s.values : sum(s.values, dense, keepdim, dtype);
  if (kept == 0) return reshape(sum(held, {0}, false, dtype), sizes);
  // Integers are added as int64, as everywhere.
  const bool widens = !dtype && IsIntegral(held.dtype(), true);
  const Tensor values = widens ? to(held, DType::kInt64) : dtype ? to(held, *dtype) : held;
  return coalesce(MakeCoo(call, sizes, stack(rows), values, false));
}

Tensor SumDims(Call call, const Tensor& self, std::optional<IntSpan> dim, bool keepdim,
               Optional<DType> dtype) {
  if (self.is_sparse()) {
    if (!dim) {
      const Tensor all = SumAll(call, self, dtype);
      return keepdim ? reshape(all, IntVector(static_cast<size_t>(self.dim()), 1)) : all;
    }
    if (dim->empty()) return dtype ? to(self, *dtype) : clone(self);
    return SumCoo(call, self, *dim, keepdim, dtype);
  }
  const SparseState& s = *FindSparse(self);
  // What is left holds no blocks, and of a batch not as many elements each.
  if (HasBlocks(s.layout) || HasBatches(s))
    return SumDims(call, to_sparse(self), dim, keepdim, dtype);
  if (!keepdim) {
    Fail(ErrorCode::kNotImplemented, call.op(),
         {"sums of ", Name(s.layout), " along dimensions are implemented with keepdim alone"});
  }
  const Tensor added = SumDims(call, to_sparse(self), dim, true, dtype);
  return to_sparse(added, s.layout, std::nullopt,
                   added.is_strided() ? std::optional<int64_t>(s.dense_dim) : std::nullopt);
}

Tensor SparseSum(Call call, const Tensor& self) {
  RequireCoo(call, self);
  return SumAll(call, self, std::nullopt);
}
Tensor SparseSumDType(Call call, const Tensor& self, DType dtype) {
  RequireCoo(call, self);
  return SumAll(call, self, dtype);
}
void RequireDims(Call call, IntSpan dim) {
  if (dim.empty()) Fail(ErrorCode::kInvalidArgument, call.op(), {"expected a dim, got none"});
}
Tensor SparseSumDim(Call call, const Tensor& self, IntSpan dim) {
  RequireCoo(call, self);
  RequireDims(call, dim);
  return SumCoo(call, self, dim, false, std::nullopt);
}
Tensor SparseSumDimDType(Call call, const Tensor& self, IntSpan dim, DType dtype) {
  RequireCoo(call, self);
  RequireDims(call, dim);
  return SumCoo(call, self, dim, false, dtype);
}

Tensor Any(Call, const Tensor& self) {
  const Tensor held = self.is_sparse() ? coalesce(self) : self;
  return any(FindSparse(held)->values);
}
Tensor Norm(Call, const Tensor& self, const Scalar& p) {
  const Tensor held = self.is_sparse() ? coalesce(self) : self;
  return norm(FindSparse(held)->values, p);
}

const LayoutKernel sum_sparse{"sum", kAnySparse, SumAll};
const LayoutKernel sum_dims_sparse{"sum.dim_IntList", kAnySparse, SumDims};
const LayoutKernel any_sparse{"any", kAnySparse, Any};
const LayoutKernel norm_sparse{"norm.Scalar", kAnySparse, Norm};
const Composite sparse_sum_body{"_sparse_sum", SparseSum};
const LayoutBody sparse_sum_sparse{"_sparse_sum", kAnySparse};
const Composite sparse_sum_dtype_body{"_sparse_sum.dtype", SparseSumDType};
const LayoutBody sparse_sum_dtype_sparse{"_sparse_sum.dtype", kAnySparse};
const Composite sparse_sum_dim_body{"_sparse_sum.dim", SparseSumDim};
const LayoutBody sparse_sum_dim_sparse{"_sparse_sum.dim", kAnySparse};
const Composite sparse_sum_dim_dtype_body{"_sparse_sum.dim_dtype", SparseSumDimDType};
const LayoutBody sparse_sum_dim_dtype_sparse{"_sparse_sum.dim_dtype", kAnySparse};

}  // namespace
}  // namespace sy
