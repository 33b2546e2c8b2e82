// Copies, conversions, and views in ATen's sense of sparse tensors: transposes, selections and
// joins, which share values where they can.
#include <algorithm>
#include <numeric>
#include <optional>

#include "ops/sparse/held_composite.h"

namespace sy {
namespace {

[[noreturn]] void Bad(Call call, std::initializer_list<Piece> pieces) {
  Fail(ErrorCode::kInvalidArgument, call.op(), pieces);
}

// f of each tensor that t is held as.
template <class F>
Tensor OfParts(const Tensor& t, F f) {
  const SparseState& s = *FindSparse(t);
  return MakeSparse(t.sizes(), std::make_unique<SparseState>(
                                   s.layout, s.sparse_dim, s.dense_dim, f(s.indices, false),
                                   s.plain_indices.defined() ? f(s.plain_indices, false) : Tensor(),
                                   f(s.values, true), s.coalesced));
}

// --- Copies.

Tensor Clone(Call call, const Tensor& self, Optional<MemoryFormat> format) {
  if (format && *format != MemoryFormat::kPreserve)
    Bad(call, {"memory formats are those of strided tensors, got ", Name(*format)});
  return OfParts(self, [](const Tensor& t, bool) { return clone(t); });
}
Tensor Alias(Call, const Tensor& self) { return SparseAlias(self); }
Tensor Detached(Call call, const Tensor& self) {
  return WithValues(call, self, detach(FindSparse(self)->values));
}

Tensor ToCopy(Call, const Tensor& self, Optional<DType> dtype, Optional<Layout> layout,
              Optional<Device> device, Optional<bool> /*pin_memory*/, bool non_blocking,
              Optional<MemoryFormat> /*format*/) {
  const Device where = device.value_or(self.device());
  const Tensor moved = OfParts(self, [&](const Tensor& t, bool is_values) {
    const DType d = is_values ? dtype.value_or(t.dtype()) : t.dtype();
    return to(t, where, d, non_blocking, true);
  });
  const Layout l = layout.value_or(self.layout());
  if (l == self.layout()) return moved;
  return l == Layout::kStrided ? to_dense(moved) : to_sparse(moved, l, std::nullopt, std::nullopt);
}

// Nothing held, of self's layout and numbers of dimensions.
Tensor EmptyAs(Call call, const Tensor& self, DType dtype, Device device) {
  const SparseState& s = *FindSparse(self);
  const Tensor like = empty({0}, {.dtype = dtype, .device = device});
  if (s.layout == Layout::kSparse) return EmptyCoo(call, like, dtype, self.sizes(), s.sparse_dim);
  const auto none = [&](const Tensor& t, size_t axis, DType d) {
    IntVector sizes = ListOf(t.sizes());
    sizes[axis] = 0;
    return empty(sizes, {.dtype = d, .device = device});
  };
  const auto last = static_cast<size_t>(s.plain_indices.dim() - 1);
  return MakeCompressed(call, s.layout, self.sizes(),
                        zeros(s.indices.sizes(), {.dtype = s.indices.dtype(), .device = device}),
                        none(s.plain_indices, last, s.plain_indices.dtype()),
                        none(s.values, last, dtype), s.dense_dim);
}
Tensor ZerosLike(Call call, const Tensor& self, Optional<DType> dtype, Optional<Layout> layout,
                 Optional<Device> device, Optional<bool> pin_memory,
                 Optional<MemoryFormat> /*format*/) {
  const DType d = dtype.value_or(self.dtype());
  const Device where = device.value_or(self.device());
  const Layout l = layout.value_or(self.layout());
  if (l == Layout::kStrided)
    return zeros(self.sizes(), {.dtype = d, .device = where, .pin_memory = pin_memory});
  if (l != self.layout()) Bad(call, {"layout must be ", Name(self.layout()), ", got ", Name(l)});
  return EmptyAs(call, self, d, where);
}
// Of compressed layouts the same positions, and values that are not set.
Tensor EmptyLike(Call call, const Tensor& self, Optional<DType> dtype, Optional<Layout> layout,
                 Optional<Device> device, Optional<bool> pin_memory,
                 Optional<MemoryFormat> format) {
  if (self.is_sparse() || layout.value_or(self.layout()) != self.layout())
    return ZerosLike(call, self, dtype, layout, device, pin_memory, format);
  const Device where = device.value_or(self.device());
  return OfParts(self, [&](const Tensor& t, bool is_values) {
    if (!is_values) return to(t, where, t.dtype(), false, true);
    return empty(t.sizes(), {.dtype = dtype.value_or(t.dtype()), .device = where});
  });
}
void Zero(Call call, const Tensor& self) {
  BecomeSparse(self, EmptyAs(call, self, self.dtype(), self.device()));
}

// --- Transposes.

Layout Turned(Layout l) {
  switch (l) {
    case Layout::kSparseCsr:
      return Layout::kSparseCsc;
    case Layout::kSparseCsc:
      return Layout::kSparseCsr;
    case Layout::kSparseBsr:
      return Layout::kSparseBsc;
    case Layout::kSparseBsc:
      return Layout::kSparseBsr;
    default:
      return l;
  }
}

Tensor TransposeCompressed(Call call, const Tensor& self, int64_t a, int64_t b) {
  const SparseState& s = *FindSparse(self);
  const int64_t rows = s.indices.dim() - 1;
  if (std::min(a, b) != rows || std::max(a, b) != rows + 1) {
    Fail(ErrorCode::kNotImplemented, call.op(),
         {"of ", Name(s.layout), " tensors rows and columns alone are transposed, dims ", rows,
          " and ", rows + 1, ", got ", a, " and ", b});
  }
  IntVector sizes = ListOf(self.sizes());
  std::swap(sizes[static_cast<size_t>(a)], sizes[static_cast<size_t>(b)]);
  const Tensor values = HasBlocks(s.layout) ? transpose(s.values, rows + 1, rows + 2) : s.values;
  return MakeCompressed(call, Turned(s.layout), sizes, s.indices, s.plain_indices, values,
                        s.dense_dim);
}

// dims: where each dimension of the result comes from.
Tensor PermuteCoo(Call call, const Tensor& self, const IntVector& dims) {
  const SparseState& s = *FindSparse(self);
  IntVector sizes, sparse, dense{0};
  for (size_t d = 0; d < dims.size(); ++d) {
    const bool from_sparse = dims[d] < s.sparse_dim;
    if (from_sparse != (static_cast<int64_t>(d) < s.sparse_dim)) {
      Bad(call, {"sparse and dense dimensions cannot change places: of ", self.sizes(),
                 " the first ", s.sparse_dim, " are sparse"});
    }
    sizes.push_back(self.sizes()[static_cast<size_t>(dims[d])]);
    if (from_sparse) {
      sparse.push_back(dims[d]);
    } else {
      dense.push_back(dims[d] - s.sparse_dim + 1);
    }
  }
  const bool same = std::ranges::is_sorted(sparse);
  std::vector<Tensor> rows;
  rows.reserve(sparse.size());
  for (const int64_t d : sparse) rows.push_back(select(s.indices, 0, d));
  return MakeCoo(call, sizes, same ? s.indices : stack(rows), permute(s.values, dense),
                 s.coalesced && same);
}

Tensor Permute(Call call, const Tensor& self, IntSpan dims) {
  IntVector from;
  std::vector<bool> seen(static_cast<size_t>(self.dim()));
  for (const int64_t d : dims) {
    from.push_back(WrapDimOf(call, d, self));
    seen[static_cast<size_t>(from.back())] = true;
  }
  if (from.size() != seen.size() || std::ranges::find(seen, false) != seen.end())
    Bad(call, {"dims must name each of ", self.dim(), " dimensions once, got ", dims});
  return PermuteCoo(call, self, from);
}
Tensor Transpose(Call call, const Tensor& self, int64_t dim0, int64_t dim1) {
  const int64_t a = WrapDimOf(call, dim0, self), b = WrapDimOf(call, dim1, self);
  if (a == b) return SparseAlias(self);
  if (!self.is_sparse()) return TransposeCompressed(call, self, a, b);
  IntVector from(static_cast<size_t>(self.dim()));
  std::iota(from.begin(), from.end(), 0);
  std::swap(from[static_cast<size_t>(a)], from[static_cast<size_t>(b)]);
  return PermuteCoo(call, self, from);
}
Tensor T(Call call, const Tensor& self) {
  if (self.dim() > 2) Bad(call, {"expected at most 2 dimensions, got sizes ", self.sizes()});
  return self.dim() < 2 ? SparseAlias(self) : Transpose(call, self, 0, 1);
}

// Of matrices; conjugates are written out.
Tensor MT(Call call, const Tensor& self) { return Transpose(call, self, -2, -1); }
Tensor Conj(Call, const Tensor& self) {
  return IsComplex(self.dtype()) ? conj_physical(self) : SparseAlias(self);
}
Tensor MH(Call call, const Tensor& self) { return Conj(call, MT(call, self)); }

Tensor Unsqueeze(Call call, const Tensor& self, int64_t dim) {
  const SparseState& s = RequireCoo(call, self);
  const int64_t rank = self.dim() + 1;
  if (dim < -rank || dim >= rank) {
    Fail(ErrorCode::kOutOfRange, call.op(),
         {"dim ", dim, " is out of range: expected ", -rank, " to ", rank - 1});
  }
  const int64_t d = dim < 0 ? dim + rank : dim;
  IntVector sizes = ListOf(self.sizes());
  sizes.insert(sizes.begin() + d, 1);
  if (d > s.sparse_dim)
    return MakeCoo(call, sizes, s.indices, unsqueeze(s.values, d - s.sparse_dim + 1), s.coalesced);
  const Tensor row = new_zeros(s.indices, {1, s.nnz()});
  const Tensor indices =
      cat({narrow(s.indices, 0, 0, d), row, narrow(s.indices, 0, d, s.sparse_dim - d)});
  return MakeCoo(call, sizes, indices, s.values, s.coalesced);
}

// --- Selections.

// Elements with these numbers, and the rows of indices but for one; -1: all.
Tensor Taken(Call call, IntSpan sizes, const SparseState& s, const Tensor& which, const Tensor& row,
             int64_t dim) {
  std::vector<Tensor> rows;
  for (int64_t d = 0; d < s.sparse_dim; ++d) {
    if (d != dim) rows.push_back(index_select(select(s.indices, 0, d), 0, which));
    if (d == dim && row.defined()) rows.push_back(row);
  }
  return MakeCoo(call, sizes, stack(rows), index_select(s.values, 0, which), false);
}
Tensor WhereTrue(const Tensor& condition) { return select(nonzero(condition), 1, 0); }

Tensor Select(Call call, const Tensor& given, int64_t dim, int64_t index) {
  const int64_t d = WrapDimOf(call, dim, given), n = given.sizes()[static_cast<size_t>(d)];
  if (index < -n || index >= n) {
    Fail(ErrorCode::kOutOfRange, call.op(),
         {"index ", index, " is out of range for sizes ", given.sizes(), " at dimension ", d});
  }
  const int64_t at = index < 0 ? index + n : index;
  const Tensor self = to_sparse(given);
  const SparseState& s = *FindSparse(self);
  IntVector sizes = ListOf(self.sizes());
  sizes.erase(sizes.begin() + d);
  if (d >= s.sparse_dim)
    return MakeCoo(call, sizes, s.indices, select(s.values, d - s.sparse_dim + 1, at), s.coalesced);
  const Tensor which = WhereTrue(eq(select(s.indices, 0, d), at));
  // Without a sparse dimension left the elements are dense.
  if (s.sparse_dim == 1) return to(sum(index_select(s.values, 0, which), {0}), self.dtype());
  return Taken(call, sizes, s, which, Tensor(), d);
}

Tensor NarrowCopy(Call call, const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  const SparseState& s = RequireCoo(call, self);
  const int64_t d = WrapDimOf(call, dim, self), n = self.sizes()[static_cast<size_t>(d)];
  const int64_t from = start < 0 ? start + n : start;
  if (from < 0 || from > n || length < 0 || length > n - from) {
    Fail(ErrorCode::kOutOfRange, call.op(),
         {"start ", start, " and length ", length, " reach beyond size ", n});
  }
  IntVector sizes = ListOf(self.sizes());
  sizes[static_cast<size_t>(d)] = length;
  if (d >= s.sparse_dim) {
    return MakeCoo(call, sizes, clone(s.indices),
                   clone(narrow(s.values, d - s.sparse_dim + 1, from, length)), s.coalesced);
  }
  const Tensor row = select(s.indices, 0, d);
  const Tensor which = WhereTrue(logical_and(ge(row, from), lt(row, from + length)));
  return Taken(call, sizes, s, which, sub(index_select(row, 0, which), from), d);
}

Tensor IndexSelect(Call call, const Tensor& given, int64_t dim, const Tensor& index) {
  if (index.dim() > 1 || !index.is_strided() ||
      (index.dtype() != DType::kInt64 && index.dtype() != DType::kInt32)) {
    Bad(call, {"index must be a vector of int64 or int32, got ", Describe(index)});
  }
  const Tensor self = to_sparse(given);
  const SparseState& s = *FindSparse(self);
  const int64_t d = WrapDimOf(call, dim, self), n = self.sizes()[static_cast<size_t>(d)];
  const Tensor wanted = reshape(to(index, DType::kInt64), {-1});
  const int64_t k = wanted.sizes()[0];
  if (HasData(wanted) && k != 0 && (AnyOf(lt(wanted, 0)) || AnyOf(ge(wanted, n)))) {
    Fail(ErrorCode::kIndexOutOfRange, call.op(),
         {"index must be 0 to ", n - 1, " for sizes ", self.sizes(), " at dimension ", d});
  }
  IntVector sizes = ListOf(self.sizes());
  sizes[static_cast<size_t>(d)] = k;
  if (d >= s.sparse_dim) {
    return MakeCoo(call, sizes, s.indices, index_select(s.values, d - s.sparse_dim + 1, wanted),
                   s.coalesced);
  }
  // Elements in the order of their position along dim, and for each wanted one its range of them.
  const auto [sorted, order] = sort(select(s.indices, 0, d), true, 0, false);
  const Tensor low = searchsorted(sorted, wanted), high = searchsorted(sorted, wanted, false, true);
  const Tensor counts = sub(high, low);
  const Tensor result_row = repeat_interleave(arange(k, Like(wanted, DType::kInt64)), counts);
  const Tensor shift = sub(low, sub(cumsum(counts, 0), counts));
  const Tensor at = add(arange(result_row.sizes()[0], Like(wanted, DType::kInt64)),
                        index_select(shift, 0, result_row));
  return Taken(call, sizes, s, index_select(order, 0, at), result_row, d);
}

// --- Joins.

Tensor Cat(Call call, TensorList tensors, int64_t dim) {
  const SparseState& first = RequireCoo(call, tensors[0]);
  const int64_t d = WrapDimOf(call, dim, tensors[0]);
  const auto at = static_cast<size_t>(d);
  IntVector sizes = ListOf(tensors[0].sizes());
  sizes[at] = 0;
  for (const Tensor& t : tensors) {
    const SparseState& s = RequireCoo(call, t);
    IntVector others = ListOf(t.sizes());
    if (others.size() > at) others[at] = 0;
    IntVector expected = sizes;
    expected[at] = 0;
    if (others != expected || s.sparse_dim != first.sparse_dim) {
      Bad(call,
          {"expected tensors of sizes ", tensors[0].sizes(), " with ", first.sparse_dim,
           " sparse dimensions, but for dim ", d, ", got ", t.sizes(), " with ", s.sparse_dim});
    }
    sizes[at] += t.sizes()[at];
  }
  std::vector<Tensor> indices, values;
  int64_t start = 0;
  for (const Tensor& t : tensors) {
    const SparseState& s = *FindSparse(t);
    const int64_t n = t.sizes()[at];
    if (d < s.sparse_dim) {
      const Tensor moved = clone(s.indices);
      add_(select(moved, 0, d), start);
      indices.push_back(moved);
      values.push_back(s.values);
    } else {
      IntVector whole = ListOf(s.values.sizes());
      const int64_t axis = d - s.sparse_dim + 1;
      whole[static_cast<size_t>(axis)] = sizes[at];
      const Tensor padded = new_zeros(s.values, whole);
      copy_(narrow(padded, axis, start, n), s.values);
      indices.push_back(s.indices);
      values.push_back(padded);
    }
    start += n;
  }
  return MakeCoo(call, sizes, cat(indices, 1), cat(values), false);
}

const LayoutKernel clone_sparse{"clone", kAnySparse, Clone};
const LayoutKernel detach_sparse{"detach", kAnySparse, Detached};
const LayoutKernel alias_sparse{"alias", kAnySparse, Alias};
const LayoutKernel to_copy_sparse{"_to_copy", kAnySparse, ToCopy};
const LayoutBody to_layout_sparse{"to.dtype_layout", kAnySparse};
const LayoutBody to_dtype_sparse{"to.dtype", kAnySparse};
const LayoutBody to_device_sparse{"to.device", kAnySparse};
const LayoutBody to_other_sparse{"to.other", kAnySparse};
const LayoutKernel empty_like_sparse{"empty_like", kAnySparse, EmptyLike};
const LayoutKernel zeros_like_sparse{"zeros_like", kAnySparse, ZerosLike};
const LayoutKernel zero_sparse{"zero_", kAnySparse, Zero};
const LayoutKernel transpose_sparse{"transpose.int", kAnySparse, Transpose};
const LayoutKernel t_sparse{"t", kAnySparse, T};
const LayoutKernel mt_sparse{"mT", kAnySparse, MT};
const LayoutKernel mh_sparse{"mH", kAnySparse, MH};
const LayoutKernel adjoint_sparse{"adjoint", kAnySparse, MH};
const LayoutKernel conj_sparse{"conj", kAnySparse, Conj};
const LayoutKernel conj_of_complex_sparse{"_conj", kAnySparse, Conj};
const LayoutKernel resolve_conj_sparse{"resolve_conj", kAnySparse, Alias};
const LayoutKernel permute_sparse{"permute", kCoo, Permute};
const LayoutKernel unsqueeze_sparse{"unsqueeze", kCoo, Unsqueeze};
const LayoutKernel select_sparse{"select.int", kAnySparse, Select};
const LayoutKernel narrow_copy_sparse{"narrow_copy", kCoo, NarrowCopy};
const LayoutKernel index_select_sparse{"index_select", kAnySparse, IndexSelect};
const LayoutKernel cat_sparse{"cat", kCoo, Cat};
const LayoutBody stack_sparse{"stack", kCoo};

}  // namespace
}  // namespace sy
