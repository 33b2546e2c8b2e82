// Joins and grids by cat, copies into slices, and views.

#include "switchyard/core/checked.h"
#include "switchyard/core/promotion.h"
#include "switchyard/core/shape.h"
#include "switchyard/ops.h"
#include "switchyard/registry/kernel.h"

namespace sy {
namespace {

using List = std::vector<Tensor>;

void RequireTensors(Call call, TensorList tensors) {
  if (tensors.empty())
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): expected at least one tensor"});
}

// --- hstack, vstack, dstack, column_stack: what is joined, and where.
struct Join {
  List tensors;
  int64_t dim;
};
Join SideBySide(List list) {
  const int64_t dim = list[0].dim() == 1 ? 0 : 1;
  return {std::move(list), dim};
}
Join Horizontal(TensorList tensors) { return SideBySide(atleast_1d(tensors)); }
Join Vertical(TensorList tensors) { return {atleast_2d(tensors), 0}; }
Join Deep(TensorList tensors) { return {atleast_3d(tensors), 2}; }
Join Columns(TensorList tensors) {
  List list;
  for (const Tensor& t : tensors) list.push_back(t.dim() <= 1 ? reshape(t, {t.numel(), 1}) : t);
  return SideBySide(std::move(list));
}
template <Join (*kHow)(TensorList)>
Tensor StackAs(Call call, TensorList tensors) {
  RequireTensors(call, tensors);
  const Join join = kHow(tensors);
  return cat(join.tensors, join.dim);
}
template <Join (*kHow)(TensorList)>
void StackAsOut(Call call, TensorList tensors, const Tensor& out) {
  RequireTensors(call, tensors);
  const Join join = kHow(tensors);
  cat_out(out, join.tensors, join.dim);
}
const Composite hstack_body{"hstack", StackAs<Horizontal>};
const Composite hstack_out_body{"hstack.out", StackAsOut<Horizontal>};
const Composite vstack_body{"vstack", StackAs<Vertical>};
const Composite vstack_out_body{"vstack.out", StackAsOut<Vertical>};
const Composite row_stack_body{"row_stack", StackAs<Vertical>};
const Composite row_stack_out_body{"row_stack.out", StackAsOut<Vertical>};
const Composite dstack_body{"dstack", StackAs<Deep>};
const Composite dstack_out_body{"dstack.out", StackAsOut<Deep>};
const Composite column_stack_body{"column_stack", StackAs<Columns>};
const Composite column_stack_out_body{"column_stack.out", StackAsOut<Columns>};

// --- block_diag
Tensor BlockDiag(Call call, TensorList tensors) {
  if (tensors.empty()) return empty({1, 0});
  TypePromotion types;
  List blocks;
  int64_t rows = 0, columns = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].dim() > 2) {
      Fail(ErrorCode::kInvalidArgument,
           {call.op(), "(): tensor ", i, " must have at most 2 dimensions, got sizes ",
            tensors[i].sizes()});
    }
    types.Add(tensors[i]);
    blocks.push_back(atleast_2d(tensors[i]));
    rows = CheckedSum(call, "the number of rows", rows, blocks[i].sizes()[0]);
    columns = CheckedSum(call, "the number of columns", columns, blocks[i].sizes()[1]);
  }
  const Tensor out = zeros({rows, columns}, types.Result(), std::nullopt, tensors[0].device());
  int64_t row = 0, column = 0;
  for (const Tensor& block : blocks) {
    const int64_t m = block.sizes()[0], n = block.sizes()[1];
    copy_(narrow(narrow(out, 0, row, m), 1, column, n), block);
    row += m;
    column += n;
  }
  return out;
}
const Composite block_diag_body{"block_diag", BlockDiag};

// --- _chunk_cat
int64_t ChunkDim(Call call, TensorList tensors, int64_t dim, int64_t num_chunks) {
  RequireTensors(call, tensors);
  if (num_chunks < 1) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): num_chunks must be at least 1, got ", num_chunks});
  }
  const Tensor& first = tensors[0];
  bool same_rank = true;
  for (const Tensor& t : tensors) same_rank &= t.dim() == first.dim();
  if (dim < 0 && !same_rank) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): dim must not be negative for tensors of several ranks, got ", dim});
  }
  const int64_t wrapped = dim < 0 ? dim + first.dim() : dim;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& t = tensors[i];
    if (t.numel() == 0)
      Fail(ErrorCode::kInvalidArgument, {call.op(), "(): tensor ", i, " has no elements"});
    if (wrapped < 0 || wrapped >= t.dim()) {
      Fail(ErrorCode::kOutOfRange, {call.op(), "(): dim ", dim, " is out of range for tensor ", i,
                                    " of sizes ", t.sizes()});
    }
    if (t.dtype() != first.dtype() ||
        !SameSizes(t.sizes().first(static_cast<size_t>(wrapped)),
                   first.sizes().first(static_cast<size_t>(wrapped)))) {
      Fail(ErrorCode::kInvalidArgument,
           {call.op(), "(): tensors must have the same dtype and the same sizes in front of dim ",
            wrapped, "; got ", Describe(first), " and ", Describe(t)});
    }
  }
  return wrapped;
}
Tensor ChunkCat(Call call, TensorList tensors, int64_t dim, int64_t num_chunks) {
  dim = ChunkDim(call, tensors, dim, num_chunks);
  const IntSpan first = tensors[0].sizes();
  std::vector<int64_t> sizes(first.begin(), first.begin() + dim);
  sizes.insert(sizes.end(), {num_chunks, 0});
  struct Part {
    int64_t chunk;                  // positions at dim in a piece
    std::vector<int64_t> trailing;  // sizes of a piece from dim on
    int64_t length;                 // their product
  };
  std::vector<Part> parts;
  for (const Tensor& t : tensors) {
    Part p;
    p.chunk = (t.sizes()[dim] - 1) / num_chunks + 1;  // at least 1: no tensor is empty
    p.trailing.assign(t.sizes().begin() + dim, t.sizes().end());
    p.trailing[0] = p.chunk;
    p.length = NumElements(p.trailing);
    sizes.back() = CheckedSum(call, "a chunk's length", sizes.back(), p.length);
    parts.push_back(std::move(p));
  }
  const Tensor out = new_zeros(tensors[0], sizes);
  int64_t at = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Part& p = parts[i];
    const Tensor pieces = unflatten(narrow(out, dim + 1, at, p.length), dim + 1, p.trailing);
    const int64_t n = tensors[i].sizes()[dim], full = n / p.chunk, rest = n % p.chunk;
    const int64_t split[] = {full, p.chunk};
    if (full > 0) {
      copy_(narrow(pieces, dim, 0, full),
            unflatten(narrow(tensors[i], dim, 0, full * p.chunk), dim, IntSpan(split)));
    }
    if (rest > 0) {
      copy_(narrow(select(pieces, dim, full), dim, 0, rest),
            narrow(tensors[i], dim, full * p.chunk, rest));
    }
    at += p.length;
  }
  return out;
}
const Composite chunk_cat_body{"_chunk_cat", ChunkCat};

// --- meshgrid, cartesian_prod, combinations
List Grid(Call call, TensorList tensors, bool swapped) {
  RequireTensors(call, tensors);
  List list(tensors.begin(), tensors.end());
  if (list.size() < 2) swapped = false;
  if (swapped) std::swap(list[0], list[1]);
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].dim() > 1 || tensors[i].dtype() != tensors[0].dtype()) {
      Fail(ErrorCode::kInvalidArgument,
           {call.op(), "(): tensors must be at most 1-d and of one dtype, got ",
            Describe(tensors[i]), " for tensor ", i});
    }
    sizes.push_back(list[i].numel());
  }
  for (size_t i = 0; i < list.size(); ++i) {
    std::vector<int64_t> own(list.size(), 1);
    own[i] = sizes[i];
    list[i] = expand(view(list[i], own), sizes);
  }
  if (swapped) std::swap(list[0], list[1]);
  return list;
}
List Meshgrid(Call call, TensorList tensors) { return Grid(call, tensors, false); }
List MeshgridIndexing(Call call, TensorList tensors, std::string_view indexing) {
  if (indexing != "ij" && indexing != "xy") {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): indexing must be \"ij\" or \"xy\", got \"", indexing, "\""});
  }
  return Grid(call, tensors, indexing == "xy");
}
const Composite meshgrid_body{"meshgrid", Meshgrid};
const Composite meshgrid_indexing_body{"meshgrid.indexing", MeshgridIndexing};

Tensor CartesianProd(Call call, TensorList tensors) {
  RequireTensors(call, tensors);
  for (const Tensor& t : tensors) {
    if (t.dim() == 1) continue;
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): tensors must be 1-d, got sizes ", t.sizes()});
  }
  if (tensors.size() == 1) return tensors[0];
  List grid = Grid(call, tensors, false);
  for (Tensor& t : grid) t = flatten(t);
  return stack(grid, 1);
}
const Composite cartesian_prod_body{"cartesian_prod", CartesianProd};

// Positions, in lexical order, of all tuples of r of n elements that ascend, strictly or not.
std::vector<int64_t> Tuples(int64_t n, int64_t r, bool strictly) {
  std::vector<int64_t> all;
  const int64_t step = strictly ? 1 : 0;
  if (n == 0 || (strictly && r > n)) return all;
  const Tensor room = Tensor::Empty({r}, DType::kInt64);
  int64_t* const tuple = room.data<int64_t>();
  for (int64_t i = 0; i < r; ++i) tuple[i] = i * step;
  while (true) {
    all.insert(all.end(), tuple, tuple + r);
    // The last position that can move on; those behind it follow.
    int64_t i = r - 1;
    while (i >= 0 && tuple[i] == n - 1 - (r - 1 - i) * step) --i;
    if (i < 0) return all;
    int64_t next = tuple[i] + 1;
    for (; i < r; ++i, next += step) tuple[i] = next;
  }
}
Tensor Combinations(Call call, const Tensor& self, int64_t r, bool with_replacement) {
  if (self.dim() != 1)
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): self must be 1-d, got ", self.sizes()});
  if (r < 0) Fail(ErrorCode::kInvalidArgument, {call.op(), "(): r must not be negative, got ", r});
  if (r == 0) return new_empty(self, {0});
  std::vector<int64_t> at = Tuples(self.numel(), r, !with_replacement);
  const auto count = static_cast<int64_t>(at.size());
  const Tensor index = Tensor::FromBlob(at.data(), IntSpan(&count, 1), DType::kInt64);
  const Tensor there = self.is_host() ? index : to(index, self.device(), DType::kInt64);
  return view(index_select(self, 0, there), {count / r, r});
}
const Composite combinations_body{"combinations", Combinations};

}  // namespace
}  // namespace sy
