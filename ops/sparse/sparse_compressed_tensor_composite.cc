// sparse_csr_tensor and its like: checks of compressed and plain indices, and the tensor.
#include <algorithm>
#include <optional>
#include <string>

#include "ops/sparse/held_composite.h"

namespace sy {
namespace {

// "crow_indices"; compressed: of rows or columns that are compressed, else of the others.
std::string NameOf(Layout layout, bool compressed) {
  const bool rows = HasCompressedRows(layout);
  if (compressed) return rows ? "crow_indices" : "ccol_indices";
  return rows ? "col_indices" : "row_indices";
}

class Checked {
 public:
  Checked(Call call, Layout layout, const Tensor& compressed, const Tensor& plain,
          const Tensor& values, IntSpan size)
      : call_(call), layout_(layout), compressed_(compressed), plain_(plain), values_(values) {
    RequireRanks(size);
    RequireSizes(size);
    if (HasData(compressed)) RequirePositions(size);
  }
  int64_t dense_dim() const { return dense_; }

 private:
  [[noreturn]] void Bad(std::initializer_list<Piece> pieces) const {
    Fail(ErrorCode::kInvalidArgument, call_.op(), pieces);
  }

  void RequireRanks(IntSpan size) {
    const int64_t batch = compressed_.dim() - 1, blocks = HasBlocks(layout_) ? 2 : 0;
    if (compressed_.dim() < 1 || plain_.dim() != compressed_.dim()) {
      Bad({NameOf(layout_, true), " and ", NameOf(layout_, false),
           " must have the same rank, at least 1, got sizes ", compressed_.sizes(), " and ",
           plain_.sizes()});
    }
    dense_ = values_.dim() - 1 - batch - blocks;
    if (dense_ < 0) {
      Bad({"values must have at least ", batch + 1 + blocks, " dimensions, got sizes ",
           values_.sizes()});
    }
    if (static_cast<int64_t>(size.size()) != batch + 2 + dense_) {
      Bad({"size must have ", batch + 2 + dense_, " dimensions for ", batch, " of batches and ",
           dense_, " dense ones, got ", size});
    }
    const DType d = compressed_.dtype();
    if (d != plain_.dtype() || (d != DType::kInt64 && d != DType::kInt32)) {
      Bad({NameOf(layout_, true), " and ", NameOf(layout_, false),
           " must both be int64 or both int32, got ", d, " and ", plain_.dtype()});
    }
  }

  void RequireSizes(IntSpan size) {
    const auto batch = static_cast<size_t>(compressed_.dim() - 1);
    const IntSpan batches = size.first(batch);
    int64_t rows = size[batch], columns = size[batch + 1];
    for (const int64_t n : size) {
      if (n < 0) Bad({"negative size in ", size});
    }
    if (HasBlocks(layout_)) {
      const int64_t r = values_.sizes()[batch + 1], c = values_.sizes()[batch + 2];
      if (r < 1 || c < 1 || rows % r != 0 || columns % c != 0)
        Bad({"rows and columns of ", size, " must be multiples of the blocks' ", r, " and ", c});
      rows /= r;
      columns /= c;
    }
    outer_ = HasCompressedRows(layout_) ? rows : columns;
    inner_ = HasCompressedRows(layout_) ? columns : rows;
    const int64_t nnz = plain_.sizes()[batch];
    if (!SameSizes(batches, compressed_.sizes().first(batch)) ||
        !SameSizes(batches, plain_.sizes().first(batch)) ||
        !SameSizes(batches, values_.sizes().first(batch))) {
      Bad({"all must have the batches of size, ", batches, ", got sizes ", compressed_.sizes(),
           ", ", plain_.sizes(), " and ", values_.sizes()});
    }
    if (compressed_.sizes()[batch] != outer_ + 1) {
      Bad({NameOf(layout_, true), " must have ", outer_ + 1, " elements for size ", size, ", got ",
           compressed_.sizes()[batch]});
    }
    if (values_.sizes()[batch] != nnz) {
      Bad({NameOf(layout_, false), " and values must have as many elements, got ", nnz, " and ",
           values_.sizes()[batch]});
    }
    const IntSpan dense = size.subspan(batch + 2),
                  got = values_.sizes().last(static_cast<size_t>(dense_));
    if (!SameSizes(dense, got))
      Bad({"values must end in the dense sizes ", dense, ", got ", values_.sizes()});
  }

  void RequirePositions(IntSpan size) {
    const int64_t nnz = plain_.size(-1);
    const Tensor first = select(compressed_, -1, 0), last = select(compressed_, -1, outer_);
    if (AnyOf(ne(first, 0)) || AnyOf(ne(last, nnz))) {
      Bad({NameOf(layout_, true), " must begin with 0 and end with nnz, ", nnz});
    }
    const Tensor counts = sub(slice(compressed_, -1, 1), slice(compressed_, -1, 0, outer_));
    if (AnyOf(lt(counts, 0)) || AnyOf(gt(counts, inner_))) {
      Bad({NameOf(layout_, true), " must rise by 0 to ", inner_, " at each step"});
    }
    if (nnz == 0) return;
    if (AnyOf(lt(plain_, 0)) || AnyOf(ge(plain_, inner_))) {
      Fail(ErrorCode::kIndexOutOfRange, call_.op(),
           {NameOf(layout_, false), " must be 0 to ", inner_ - 1, " for size ", size});
    }
    // Sorted within a row: where a row goes on, the next is larger.
    const SparseState s(layout_, 2, dense_, compressed_, plain_, values_);
    const Tensor row = ExpandedIndices(s);
    const Tensor same = eq(slice(row, -1, 1), slice(row, -1, 0, nnz - 1));
    const Tensor falls = le(slice(plain_, -1, 1), slice(plain_, -1, 0, nnz - 1));
    if (AnyOf(logical_and(same, falls))) {
      Fail(ErrorCode::kIndexOutOfRange, call_.op(),
           {NameOf(layout_, false), " must rise and differ within each of what ",
            NameOf(layout_, true), " says"});
    }
  }

  Call call_;
  Layout layout_;
  const Tensor &compressed_, &plain_, &values_;
  int64_t dense_ = 0, outer_ = 0, inner_ = 0;
};

Tensor Make(Call call, Layout layout, const Tensor& compressed, const Tensor& plain,
            const Tensor& values, const std::optional<IntVector>& size, Optional<DType> dtype,
            Optional<Layout> asked, Optional<Device> device) {
  if (asked.value_or(layout) != layout) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"layout must be ", Name(layout), ", got ", Name(*asked)});
  }
  for (const Tensor* t : {&compressed, &plain, &values}) {
    if (t->is_strided()) continue;
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected strided indices and values, got ", Describe(*t)});
  }
  const Device where = device.value_or(values.device());
  const Tensor v = to(values, where, dtype.value_or(values.dtype()));
  const Tensor c = to(compressed, where, compressed.dtype()), p = to(plain, where, plain.dtype());
  IntVector sizes;
  if (size) {
    sizes = *size;
  } else {
    // As small as the positions allow.
    const int64_t batch = c.dim() - 1;
    const bool blocks = HasBlocks(layout);
    if (c.dim() < 1 || v.dim() < batch + 1 + (blocks ? 2 : 0)) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"values of sizes ", v.sizes(), " do not fit indices of sizes ", c.sizes()});
    }
    const int64_t outer = c.size(-1) - 1, inner = p.numel() == 0 ? 0 : max(p).item<int64_t>() + 1;
    const int64_t rows = HasCompressedRows(layout) ? outer : inner,
                  columns = HasCompressedRows(layout) ? inner : outer;
    const auto b = static_cast<size_t>(batch);
    sizes.assign(c.sizes().begin(), c.sizes().begin() + batch);
    sizes.push_back(rows * (blocks ? v.sizes()[b + 1] : 1));
    sizes.push_back(columns * (blocks ? v.sizes()[b + 2] : 1));
    sizes = Joined(sizes, v.sizes().subspan(b + (blocks ? 3 : 1)));
  }
  const Checked checked(call, layout, c, p, v, sizes);
  return MakeCompressed(call, layout, sizes, c, p, v, checked.dense_dim());
}

template <Layout kLayout>
Tensor OfSize(Call call, const Tensor& compressed, const Tensor& plain, const Tensor& values,
              IntSpan size, Optional<DType> dtype, Optional<Layout> layout, Optional<Device> device,
              Optional<bool> /*pin_memory*/) {
  return Make(call, kLayout, compressed, plain, values, ListOf(size), dtype, layout, device);
}
template <Layout kLayout>
Tensor OfParts(Call call, const Tensor& compressed, const Tensor& plain, const Tensor& values,
               Optional<DType> dtype, Optional<Layout> layout, Optional<Device> device,
               Optional<bool> /*pin_memory*/) {
  return Make(call, kLayout, compressed, plain, values, std::nullopt, dtype, layout, device);
}

Layout RequireCompressed(Call call, Optional<Layout> layout) {
  if (layout && IsCompressed(*layout)) return *layout;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"layout must be sparse_csr, sparse_csc, sparse_bsr or sparse_bsc, got ",
        layout ? Name(*layout) : "none"});
}
Tensor AnyOfSize(Call call, const Tensor& compressed, const Tensor& plain, const Tensor& values,
                 IntSpan size, Optional<DType> dtype, Optional<Layout> layout,
                 Optional<Device> device, Optional<bool> /*pin_memory*/) {
  return Make(call, RequireCompressed(call, layout), compressed, plain, values, ListOf(size), dtype,
              layout, device);
}
Tensor AnyOfParts(Call call, const Tensor& compressed, const Tensor& plain, const Tensor& values,
                  Optional<DType> dtype, Optional<Layout> layout, Optional<Device> device,
                  Optional<bool> /*pin_memory*/) {
  return Make(call, RequireCompressed(call, layout), compressed, plain, values, std::nullopt, dtype,
              layout, device);
}

const Composite csr_size{"sparse_csr_tensor.crow_col_value_size", OfSize<Layout::kSparseCsr>};
const Composite csr{"sparse_csr_tensor.crow_col_value", OfParts<Layout::kSparseCsr>};
const Composite csc_size{"sparse_csc_tensor.ccol_row_value_size", OfSize<Layout::kSparseCsc>};
const Composite csc{"sparse_csc_tensor.ccol_row_value", OfParts<Layout::kSparseCsc>};
const Composite bsr_size{"sparse_bsr_tensor.crow_col_value_size", OfSize<Layout::kSparseBsr>};
const Composite bsr{"sparse_bsr_tensor.crow_col_value", OfParts<Layout::kSparseBsr>};
const Composite bsc_size{"sparse_bsc_tensor.ccol_row_value_size", OfSize<Layout::kSparseBsc>};
const Composite bsc{"sparse_bsc_tensor.ccol_row_value", OfParts<Layout::kSparseBsc>};
const Composite any_size{"sparse_compressed_tensor.comp_plain_value_size", AnyOfSize};
const Composite any_parts{"sparse_compressed_tensor.comp_plain_value", AnyOfParts};

}  // namespace
}  // namespace sy
