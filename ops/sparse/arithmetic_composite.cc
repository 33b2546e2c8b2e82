// Sums, differences, products and quotients with sparse tensors.
#include <utility>

#include "ops/sparse/grid_composite.h"
#include "switchyard/core/promotion.h"

namespace sy {
namespace {

[[noreturn]] void Bad(Call call, std::initializer_list<Piece> pieces) {
  Fail(ErrorCode::kInvalidArgument, call.op(), pieces);
}
void RequireSameSizes(Call call, const Tensor& self, const Tensor& other) {
  if (SameSizes(self.sizes(), other.sizes())) return;
  Bad(call, {"expected 'self' and 'other' to have the same sizes, got ", self.sizes(), " and ",
             other.sizes()});
}
DType CommonType(const Tensor& a, const Tensor& b) {
  TypePromotion p;
  p.Add(a);
  p.Add(b);
  return p.Result();
}
const Tensor& ValuesOf(const Tensor& t) { return FindSparse(t)->values; }

// --- Sums.

Tensor AddCoo(Call call, const Tensor& self, const Tensor& other, const Scalar& alpha) {
  const SparseState &a = *FindSparse(self), &b = *FindSparse(other);
  if (a.sparse_dim != b.sparse_dim) {
    Bad(call, {"expected as many sparse dimensions, got ", a.sparse_dim, " and ", b.sparse_dim});
  }
  const DType d = CommonType(self, other);
  const Tensor added = to(b.values, d);
  const Tensor values =
      cat({to(a.values, d), alpha.To<std::complex<double>>() == 1.0 ? added : mul(added, alpha)});
  return coalesce(
      MakeCoo(call, self.sizes(), cat({a.indices, b.indices}, 1), to(values, d), false));
}

// In place, into a copy of the strided one: no strided copy of the other is made.
Tensor AddToDense(Call call, const Tensor& self, const Tensor& other, const Scalar& alpha) {
  const DType d = CommonType(self, other);
  const SparseState& s = *FindSparse(other);
  if (s.layout != Layout::kSparse || d == DType::kBool) return add(self, to_dense(other), alpha);
  const IntVector sizes = SparseSizes(other, s);
  const Tensor flat = FlatPositions(call, s.indices, sizes);
  const Tensor out = to(self, d, false, true, MemoryFormat::kContiguous);
  const Tensor rows = view(out, Joined({NumElements(sizes)}, DenseSizes(other, s)));
  index_add_(rows, 0, flat, to(s.values, d), alpha);
  return out;
}

Tensor Add(Call call, const Tensor& self, const Tensor& other, const Scalar& alpha) {
  RequireSameSizes(call, self, other);
  if (self.is_strided()) return AddToDense(call, self, other, alpha);
  if (other.is_strided()) {
    if (self.is_sparse())
      Bad(call, {"add(sparse, dense) is not supported: use add(dense, sparse)"});
    return add(to_dense(self), other, alpha);
  }
  if (self.is_sparse()) return AddCoo(call, self, to_sparse(other), alpha);
  const SparseState& a = *FindSparse(self);
  if (HasBlocks(a.layout) || HasBatches(a)) {
    const Tensor b = GridOf(call, InGridOf(other, self));
    return GridFrom(call, AddCoo(call, GridOf(call, self), b, alpha), self);
  }
  const Tensor sum_of_both = AddCoo(call, to_sparse(self), to_sparse(other), alpha);
  return to_sparse(sum_of_both, a.layout, std::nullopt, std::nullopt);
}
Tensor Sub(Call call, const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return Add(call, self, neg(other), alpha);
}

// --- Products.

// Of two COO tensors: where both hold something.
Tensor MulCoo(Call call, const Tensor& self, const Tensor& other) {
  RequireSameSizes(call, self, other);
  const Tensor a = coalesce(self), b = coalesce(other);
  const SparseState &x = *FindSparse(a), &y = *FindSparse(b);
  if (x.sparse_dim != y.sparse_dim)
    Bad(call, {"expected as many sparse dimensions, got ", x.sparse_dim, " and ", y.sparse_dim});
  const IntVector sizes = SparseSizes(a, x);
  const Tensor at = FlatPositions(call, x.indices, sizes),
               in = FlatPositions(call, y.indices, sizes);
  if (y.nnz() == 0) return EmptyCoo(call, a, CommonType(a, b), a.sizes(), x.sparse_dim);
  const Tensor found = clamp(searchsorted(in, at), std::nullopt, y.nnz() - 1);
  const Tensor both = select(nonzero(eq(index_select(in, 0, found), at)), 1, 0);
  const Tensor values =
      mul(index_select(x.values, 0, both), index_select(y.values, 0, index_select(found, 0, both)));
  return MakeCoo(call, a.sizes(), index_select(x.indices, 1, both), values, true);
}

// [batch.., rows, columns, dense..] with each block's elements behind its position.
Tensor InBlocks(const Tensor& all, const SparseState& s) {
  const IntVector blocks = BlockSizes(s);
  if (blocks.empty()) return all;
  const size_t at = NumBatchDims(s);
  const IntSpan sizes = all.sizes();
  IntVector cut = ListOf(sizes.first(at));
  cut.insert(cut.end(), {sizes[at] / blocks[0], blocks[0], sizes[at + 1] / blocks[1], blocks[1]});
  const auto d = static_cast<int64_t>(at);
  return transpose(reshape(all, Joined(cut, sizes.subspan(at + 2))), d + 1, d + 2);
}

// The elements of a strided tensor, which is expanded to t's sizes, where t holds some.
Tensor ElementsWhereHeld(Call call, const Tensor& dense, const Tensor& t) {
  const SparseState& s = *FindSparse(t);
  IntVector common(std::max(dense.sizes().size(), t.sizes().size()));
  Broadcast(dense.sizes(), t.sizes(), common.data(), call.op());
  if (!SameSizes(common, t.sizes())) {
    Bad(call, {"a strided factor must expand to the sparse one's sizes ", t.sizes(), ", got ",
               dense.sizes()});
  }
  const Tensor all = expand(dense, t.sizes());
  if (s.layout != Layout::kSparse)
    return reshape(index(InBlocks(all, s), GridPositions(t, s)), s.values.sizes());
  const std::vector<Tensor> where = PositionLists(s);
  return where.empty() ? expand(unsqueeze(all, 0), s.values.sizes()) : index(all, where);
}

Tensor MulSparseDense(Call call, const Tensor& self, const Tensor& other) {
  if (other.dim() == 0) {
    // Weaker than the values' dtype, as beside any tensor with dimensions.
    return WithValues(call, self, mul(ValuesOf(self), other));
  }
  const Tensor factor = ElementsWhereHeld(call, other, self);
  return WithValues(call, self, mul(ValuesOf(self), factor));
}

Tensor Mul(Call call, const Tensor& self, const Tensor& other) {
  if (self.is_strided()) return MulSparseDense(call, other, self);
  if (other.is_strided()) return MulSparseDense(call, self, other);
  if (self.is_sparse()) return MulCoo(call, self, to_sparse(other));
  const SparseState& s = *FindSparse(self);
  if (HasBlocks(s.layout) || HasBatches(s)) {
    RequireSameSizes(call, self, other);
    const Tensor b = GridOf(call, InGridOf(other, self));
    return GridFrom(call, MulCoo(call, GridOf(call, self), b), self);
  }
  return to_sparse(MulCoo(call, to_sparse(self), to_sparse(other)), s.layout, std::nullopt,
                   std::nullopt);
}
Tensor MulNumber(Call call, const Tensor& self, const Scalar& other) {
  return WithValues(call, self, mul(ValuesOf(self), other));
}

// --- Quotients.

void RequireNumber(Call call, const Tensor& self, const Tensor& other) {
  if (other.is_strided() && other.dim() == 0 && !self.is_strided()) return;
  Bad(call, {"sparse division requires a scalar or a 0-dim strided divisor, got ", Describe(self),
             " and ", Describe(other)});
}
Tensor Div(Call call, const Tensor& self, const Tensor& other) {
  RequireNumber(call, self, other);
  return WithValues(call, self, div(ValuesOf(self), other));
}
Tensor DivNumber(Call call, const Tensor& self, const Scalar& other) {
  return WithValues(call, self, div(ValuesOf(self), other));
}
// What is rounded is not the sum of rounded parts.
Tensor Once(const Tensor& t) { return t.is_sparse() ? coalesce(t) : t; }
Tensor DivMode(Call call, const Tensor& self, const Tensor& other,
               std::optional<std::string_view> mode) {
  RequireNumber(call, self, other);
  const Tensor held = Once(self);
  return WithValues(call, held, div(ValuesOf(held), other, mode));
}
Tensor DivModeNumber(Call call, const Tensor& self, const Scalar& other,
                     std::optional<std::string_view> mode) {
  const Tensor held = Once(self);
  return WithValues(call, held, div(ValuesOf(held), other, mode));
}
Tensor FloorDivide(Call call, const Tensor& self, const Tensor& other) {
  RequireNumber(call, self, other);
  const Tensor held = Once(self);
  return WithValues(call, held, floor_divide(ValuesOf(held), other));
}
Tensor FloorDivideNumber(Call call, const Tensor& self, const Scalar& other) {
  const Tensor held = Once(self);
  return WithValues(call, held, floor_divide(ValuesOf(held), other));
}

const LayoutKernel add_sparse{"add.Tensor", kAnySparse, Add};
const LayoutKernel sub_sparse{"sub.Tensor", kAnySparse, Sub};
const LayoutKernel mul_sparse{"mul.Tensor", kAnySparse, Mul};
const LayoutKernel mul_number_sparse{"mul.Scalar", kAnySparse, MulNumber};
const LayoutKernel div_sparse{"div.Tensor", kAnySparse, Div};
const LayoutKernel div_number_sparse{"div.Scalar", kAnySparse, DivNumber};
const LayoutKernel div_mode_sparse{"div.Tensor_mode", kAnySparse, DivMode};
const LayoutKernel div_mode_number_sparse{"div.Scalar_mode", kAnySparse, DivModeNumber};
const LayoutKernel floor_divide_sparse{"floor_divide", kAnySparse, FloorDivide};
const LayoutKernel floor_divide_number_sparse{"floor_divide.Scalar", kAnySparse, FloorDivideNumber};

}  // namespace
}  // namespace sy
