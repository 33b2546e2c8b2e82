// What sparse tensors are held as, and questions about it.
#include "ops/sparse/held_composite.h"

namespace sy {
namespace {

[[noreturn]] void FailLayout(Call call, std::string_view expected, const Tensor& got) {
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"expected a ", expected, " tensor, got ", Describe(got)});
}

const SparseState& RequireCoalesced(Call call, const Tensor& self) {
  const SparseState& s = RequireCoo(call, self);
  if (s.coalesced) return s;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"cannot get ", call.op(), " of an uncoalesced tensor, call coalesce first"});
}
Tensor Indices(Call call, const Tensor& self) { return RequireCoalesced(call, self).indices; }
Tensor Values(Call call, const Tensor& self) {
  const SparseState* s = FindSparse(self);
  if (s == nullptr) FailLayout(call, "sparse", self);
  return s->layout == Layout::kSparse ? RequireCoalesced(call, self).values : s->values;
}
Tensor HeldIndices(Call call, const Tensor& self) { return RequireCoo(call, self).indices; }
Tensor HeldValues(Call call, const Tensor& self) { return RequireCoo(call, self).values; }

const SparseState& RequireCompressed(Call call, const Tensor& self, bool rows) {
  const SparseState* s = FindSparse(self);
  if (s == nullptr || !IsCompressed(s->layout) || HasCompressedRows(s->layout) != rows)
    FailLayout(call, rows ? "sparse_csr or sparse_bsr" : "sparse_csc or sparse_bsc", self);
  return *s;
}
Tensor CrowIndices(Call call, const Tensor& self) {
  return RequireCompressed(call, self, true).indices;
}
Tensor ColIndices(Call call, const Tensor& self) {
  return RequireCompressed(call, self, true).plain_indices;
}
Tensor CcolIndices(Call call, const Tensor& self) {
  return RequireCompressed(call, self, false).indices;
}
Tensor RowIndices(Call call, const Tensor& self) {
  return RequireCompressed(call, self, false).plain_indices;
}

int64_t Nnz(Call call, const Tensor& self) {
  const SparseState* s = FindSparse(self);
  if (s == nullptr) FailLayout(call, "sparse", self);
  return s->nnz();
}
int64_t SparseDim(Call, const Tensor& self) {
  const SparseState* s = FindSparse(self);
  return s == nullptr ? 0 : s->sparse_dim;
}
int64_t DenseDim(Call, const Tensor& self) {
  const SparseState* s = FindSparse(self);
  return s == nullptr ? self.dim() : s->dense_dim;
}
bool IsCoalesced(Call call, const Tensor& self) { return RequireCoo(call, self).coalesced; }

// Of all layouts: the wrong ones are errors of their own.
#define SY_BODY(id, name, function)          \
  const Composite id##_body{name, function}; \
  const LayoutBody id##_sparse{name, kAnySparse};
SY_BODY(indices, "indices", Indices)
SY_BODY(values, "values", Values)
SY_BODY(held_indices, "_indices", HeldIndices)
SY_BODY(held_values, "_values", HeldValues)
SY_BODY(crow, "crow_indices", CrowIndices)
SY_BODY(col, "col_indices", ColIndices)
SY_BODY(ccol, "ccol_indices", CcolIndices)
SY_BODY(row, "row_indices", RowIndices)
SY_BODY(nnz, "_nnz", Nnz)
SY_BODY(sparse_dim, "sparse_dim", SparseDim)
SY_BODY(dense_dim, "dense_dim", DenseDim)
SY_BODY(dim_i, "_dimI", SparseDim)
SY_BODY(dim_v, "_dimV", DenseDim)
SY_BODY(is_coalesced, "is_coalesced", IsCoalesced)
#undef SY_BODY

// What metadata alone answers.
const LayoutBody is_complex_sparse{"is_complex", kAnySparse};
const LayoutBody is_floating_point_sparse{"is_floating_point", kAnySparse};
const LayoutBody is_signed_sparse{"is_signed", kAnySparse};
const LayoutBody is_conj_sparse{"is_conj", kAnySparse};
const LayoutBody is_neg_sparse{"is_neg", kAnySparse};
const LayoutBody is_same_size_sparse{"is_same_size", kAnySparse};
const LayoutBody size_sparse{"size.int", kAnySparse};

}  // namespace
}  // namespace sy
