// Other sizes, and other contents, of a sparse tensor in place.
#include "ops/sparse/held_composite.h"

namespace sy {
namespace {

void RequireDims(Call call, IntSpan size, int64_t sparse_dim, int64_t dense_dim) {
  if (sparse_dim < 0 || dense_dim < 0 ||
      sparse_dim + dense_dim != static_cast<int64_t>(size.size())) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"number of dimensions must be sparse_dim (", sparse_dim, ") + dense_dim (", dense_dim,
          "), got size ", size});
  }
  for (const int64_t n : size) {
    if (n < 0) Fail(ErrorCode::kInvalidArgument, call.op(), {"negative size in ", size});
  }
}

void Clear(Call call, const Tensor& self, IntSpan size, int64_t sparse_dim, int64_t dense_dim) {
  RequireCoo(call, self);
  RequireDims(call, size, sparse_dim, dense_dim);
  BecomeSparse(self, EmptyCoo(call, self, self.dtype(), size, sparse_dim));
}

void Resize(Call call, const Tensor& self, IntSpan size, int64_t sparse_dim, int64_t dense_dim) {
  const SparseState& s = RequireCoo(call, self);
  RequireDims(call, size, sparse_dim, dense_dim);
  if (s.nnz() == 0) return Clear(call, self, size, sparse_dim, dense_dim);
  bool shrinks = false;
  for (size_t d = 0; d < size.size() && d < self.sizes().size(); ++d)
    shrinks = shrinks || size[d] < self.sizes()[d];
  if (sparse_dim != s.sparse_dim || dense_dim != s.dense_dim || shrinks) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"a tensor that holds elements keeps its sparse and dense dimensions, and no size "
          "shrinks: from ",
          self.sizes(), " with ", s.sparse_dim, " sparse ones to ", size, " with ", sparse_dim});
  }
  const IntSpan dense = size.subspan(static_cast<size_t>(sparse_dim));
  Tensor values = s.values;
  if (!SameSizes(dense, values.sizes().subspan(1))) {
    values = new_zeros(values, Joined({s.nnz()}, dense));
    Tensor part = values;
    for (int64_t d = 1; d < values.dim(); ++d)
      part = slice(part, d, 0, s.values.sizes()[static_cast<size_t>(d)]);
    copy_(part, s.values);
  }
  BecomeSparse(self, MakeCoo(call, size, s.indices, values, s.coalesced));
}

void ResizeAs(Call call, const Tensor& self, const Tensor& like) {
  const SparseState& s = RequireCoo(call, like);
  Resize(call, self, like.sizes(), s.sparse_dim, s.dense_dim);
}

// A copy of all that src holds, in self's dtype.
void CopySparse(Call call, const Tensor& self, const Tensor& src, bool non_blocking) {
  const SparseState *to_state = FindSparse(self), *s = FindSparse(src);
  if (to_state == nullptr || s == nullptr || to_state->layout != s->layout) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected two tensors of one sparse layout, got ", Describe(self), " and ",
          Describe(src)});
  }
  if (self.is_same(src)) return;
  const Device where = self.device();
  const auto copied = [&](const Tensor& t, DType dtype) {
    return t.defined() ? to(t, where, dtype, non_blocking, true) : t;
  };
  const Tensor plain =
      s->plain_indices.defined() ? copied(s->plain_indices, s->plain_indices.dtype()) : Tensor();
  BecomeSparse(self, MakeSparse(src.sizes(), std::make_unique<SparseState>(
                                                 s->layout, s->sparse_dim, s->dense_dim,
                                                 copied(s->indices, s->indices.dtype()), plain,
                                                 copied(s->values, self.dtype()), s->coalesced)));
}
void Copy(Call call, const Tensor& self, const Tensor& src, bool non_blocking) {
  if (!SameSizes(self.sizes(), src.sizes())) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected sizes ", self.sizes(), ", got ", src.sizes()});
  }
  CopySparse(call, self, src, non_blocking);
}

const Composite resize_body{"sparse_resize_", Resize};
const LayoutBody resize_sparse{"sparse_resize_", kAnySparse};
const Composite clear_body{"sparse_resize_and_clear_", Clear};
const LayoutBody clear_sparse{"sparse_resize_and_clear_", kAnySparse};
const Composite resize_as_body{"resize_as_sparse_", ResizeAs};
const LayoutBody resize_as_sparse{"resize_as_sparse_", kAnySparse};
const Composite copy_sparse_body{"copy_sparse_to_sparse_", CopySparse};
const LayoutBody copy_sparse_sparse{"copy_sparse_to_sparse_", kAnySparse};
const LayoutKernel copy_kernel{"copy_", kAnySparse, Copy};

}  // namespace
}  // namespace sy
