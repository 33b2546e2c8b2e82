// Rules of indexing. A batched index means another element in each example: then the number of the
// example becomes an index besides.
#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/core/promotion.h"
#include "switchyard/core/shape.h"
#include "switchyard/dispatcher/call.h"
#include "transforms/rules/shared_internal.h"

namespace sy::transforms {
namespace {

// [B, …] positions 0 … n - 1 in each example, as positions among all examples' n. What is out of
// range gets one that is, too, behind `more` further ones.
Tensor AmongAll(const Tensor& at, int64_t n, int64_t more = 0) {
  const Tensor all = add(at, mul(Numbers(at.size(0), at.dim(), at), n));
  return where(logical_and(ge(at, 0), lt(at, n)), all, at.size(0) * n + more);
}
// Negative ones count from the end.
Tensor Wrapped(const Tensor& at, int64_t n) { return where(lt(at, 0), add(at, n), at); }
// An example's numbers as vectors of one.
Tensor AtLeastVectors(const Tensor& value) {
  return value.dim() == 1 ? unsqueeze(value, -1) : value;
}
Tensor Rows(const Tensor& value) { return reshape(value, {value.size(0), RowSize(value)}); }

void IndexSelect(BatchCall& c) {
  const bool number = c.rank(0) == 0;
  if (c.rank(2) > 1 || (number && c.args[2].tensor().numel() != 1))
    return BatchLoop(c);  // its error
  const int64_t dim = FromBack(c, c.args[1].i, c.rank(0));
  const auto give = [&](const Tensor& t) { c.Set(0, number ? squeeze(t, -1) : t); };
  const Tensor x = number ? AtLeastVectors(c.expanded(0)) : c.value(0), at = c.value(2);
  if (!c.batched(2)) return give(index_select(x, dim, at));
  const Tensor rows = AtLeastVectors(at);  // [B, n]
  if (!c.batched(0) && !number) {
    // [.., B · n, ..] → [B, .., n, ..]
    const Tensor all = index_select(x, dim, flatten(rows));
    return c.Set(0, movedim(unflatten(all, dim, rows.sizes()), dim - 1, 0));
  }
  const Tensor front = movedim(x, dim, 1);  // [B, size, …]
  const Tensor picked = index(front, std::vector<Tensor>{Numbers(c.batch_size(), 2, x), rows});
  give(movedim(picked, 1, dim));
}
const Batching index_select_rule{"index_select", IndexSelect};
Tensor IndexSelectBackward(const Tensor& g, IntSpan sizes, int64_t dim, const Tensor& at) {
  return index_add(new_zeros(g, sizes), dim, at, g);
}
const Batching index_select_backward_rule{"index_select_backward", Decomposed(IndexSelectBackward)};

// index_add, index_copy, index_fill and index_reduce. Where the index has a batch, examples are
// rows of one tensor.
void IndexInto(BatchCall& c) {
  const bool has_source = c.op.schema().name != "index_fill";
  if (c.rank(2) > 1) return BatchLoop(c);  // its error
  const bool number = c.rank(0) == 0;
  const Tensor self = AtLeastVectors(c.expanded(0));
  const int64_t dim = FromBack(c, c.args[1].i, c.rank(0));
  Tensor source;
  if (has_source) {
    source = AtLeastVectors(c.expanded(3));
    if (source.dim() != self.dim()) return BatchLoop(c);  // its error
  }
  NewArgs args(c);
  Result made[1];
  Tensor result;
  if (!c.batched(2)) {
    args.Set(0, self);
    args.Set(1, dim);
    if (has_source) args.Set(3, source);
    CallBoxed(c.op, args, made);
    result = made[0].TakeTensor();
  } else {
    const int64_t n = self.size(dim);
    Tensor at = AtLeastVectors(c.value(2));  // [B, m]
    if (!has_source) at = Wrapped(at, n);
    const auto rows = [&](const Tensor& t) { return flatten(movedim(t, dim, 1), 0, 1); };
    args.Set(0, rows(self));
    args.Set(1, int64_t{0});
    args.Set(2, flatten(AmongAll(at, n)));
    if (has_source) args.Set(3, rows(source));
    CallBoxed(c.op, args, made);
    result = movedim(unflatten(made[0].tensor(), 0, {c.batch_size(), n}), 1, dim);
  }
  c.Set(0, number ? squeeze(result, -1) : result);
}
const Batching index_into{{"index_add", "index_copy", "index_fill.int_Scalar", "index_reduce"},
                          IndexInto};
Tensor IndexFill(const Tensor& self, int64_t dim, const Tensor& at, const Tensor& value) {
  if (value.dim() != 0) {
    Fail(ErrorCode::kInvalidArgument, "index_fill",
         {"value must be a number or a 0-d tensor, got ", Describe(value)});
  }
  const Tensor filled = index_fill(zeros_like(self, DType::kBool), dim, at, true);
  return where(filled, to(value, self.dtype()), self);
}
const Batching index_fill_rule{"index_fill.int_Tensor", Decomposed(IndexFill)};

void Put(BatchCall& c) {
  const Tensor self = contiguous(c.expanded(0));
  const int64_t n = c.args[0].tensor().numel();
  const Tensor at = Rows(c.expanded(1)), source = c.expanded(2);
  const bool accumulate = c.args[3].i != 0;
  const Tensor all =
      put(flatten(self), flatten(AmongAll(Wrapped(at, n), n)), flatten(source), accumulate);
  c.Set(0, view(all, self.sizes()));
}
const Batching put_rule{"put", Put};

// --- index and index_put.

// Indices with a place for the batch, and where the result has it.
struct Indexing {
  std::vector<Tensor> indices;  // of self with a batch, or, where it has none, of self as it is
  int64_t broadcast = 0;        // dimensions of the indices together
  int64_t before = 0;           // dimensions of self before the first index
  bool together = true;         // whether no dimension lies between indices
  bool batched = false;         // whether an index has a batch
};

// False where there is no way but the loop: a mask with a batch gives as many as it likes.
bool Prepare(const BatchCall& c, bool self_batched, Indexing& all) {
  const TensorList given = c.args[1].list<Tensor>();
  bool begun = false, ended = false;
  for (const Tensor& t : given) {
    if (!t.defined()) {
      ended = begun;
      if (!begun) ++all.before;
      continue;
    }
    begun = true;
    all.together = all.together && !ended;
    const bool mask = t.dtype() == DType::kBool || t.dtype() == DType::kUInt8;
    if (mask && c.batched(t)) {
      Fail(ErrorCode::kInvalidArgument, c.op.name(),
           {"vmap: a mask with a batch chooses as many elements as it has true ones, which differ "
            "between examples; use where"});
    }
    all.broadcast = std::max(all.broadcast, mask ? int64_t{1} : t.dim());
    all.batched = all.batched || c.batched(t);
  }
  if (!begun) return false;
  if (self_batched) {
    all.indices.push_back(
        all.batched ? Numbers(c.batch_size(), all.broadcast + 1, c.args[0].tensor()) : Tensor());
  }
  for (const Tensor& t : given) {
    all.indices.push_back(t.defined() && c.batched(t) ? WithRank(c.value(t), all.broadcast) : t);
  }
  return true;
}

void Index(BatchCall& c) {
  Indexing all;
  if (!Prepare(c, c.batched(0), all)) return BatchLoop(c);
  const Tensor got = index(c.value(0), all.indices);
  if (!all.batched) {
    // The batch is a dimension of self like others: before the indices', or behind them.
    return c.Set(0, all.together ? got : movedim(got, all.broadcast, 0));
  }
  if (!c.batched(0)) return c.Set(0, all.together ? movedim(got, all.before, 0) : got);
  // [B, indices, before, rest]: an example has the indices where they stand together.
  if (!all.together || all.before == 0) return c.Set(0, got);
  std::vector<int64_t> from, to;
  for (int64_t d = 0; d < all.before; ++d) {
    from.push_back(1 + all.broadcast + d);
    to.push_back(1 + d);
  }
  c.Set(0, movedim(got, from, to));
}
const Batching index_rule{{"index.Tensor", "_unsafe_index.Tensor"}, Index};

void IndexPut(BatchCall& c) {
  Indexing all;
  if (!Prepare(c, true, all)) return BatchLoop(c);
  const Tensor self = c.expanded(0);
  // Values with the sizes of what an example's indices give, so that dimensions can be moved.
  const Tensor one = select(self, 0, 0);
  std::vector<Tensor> of_one;
  of_one.reserve(c.args[1].len);
  for (const Tensor& t : c.args[1].list<Tensor>()) {
    of_one.push_back(t.defined() && c.batched(t) ? select(c.value(t), 0, 0) : t);
  }
  const Tensor like = index(one, of_one);
  const Tensor given = c.expanded(2);
  if (given.dim() - 1 > like.dim()) return BatchLoop(c);
  Tensor values = expand(WithRank(given, like.dim()), Joined(c.batch_size(), like.sizes()));
  if (!all.batched) {
    if (!all.together) values = movedim(values, 0, all.broadcast);
  } else if (all.together && all.before != 0) {
    std::vector<int64_t> from, to;
    for (int64_t d = 0; d < all.before; ++d) {
      from.push_back(1 + d);
      to.push_back(1 + all.broadcast + d);
    }
    values = movedim(values, from, to);
  }
  c.Set(0, index_put(self, all.indices, values, c.args[3].i != 0));
}
const Batching index_put_rule{{"index_put", "_unsafe_index_put"}, IndexPut};

// Elements of an example in the order of its dimensions.
void Take(BatchCall& c) {
  const Tensor at = c.value(1);
  if (!c.batched(0)) return c.Set(0, take(c.value(0), at));
  const Tensor x = reshape(c.value(0), {c.batch_size(), c.args[0].tensor().numel()});
  const Tensor rows = reshape(c.expanded(1), {c.batch_size(), c.args[1].tensor().numel()});
  const Tensor wrapped = where(lt(rows, 0), add(rows, x.size(1)), rows);
  c.Set(0, view(gather(x, 1, wrapped), Joined(c.batch_size(), c.args[1].tensor().sizes())));
}
const Batching take_rule{"take", Take};

// --- By the values of others.

// A number among sorted ones, or among any.
Tensor NumberLike(const Scalar& number, const Tensor& others) {
  const bool floating = number.is_floating() || IsFloating(others.dtype());
  const DType dtype = !floating                    ? DType::kInt64
                      : IsFloating(others.dtype()) ? others.dtype()
                                                   : DefaultDType();
  return full(IntSpan(), number, dtype, std::nullopt, others.device());
}
// sorted: [B, n]; x: [B, …].
Tensor Searched(const Tensor& sorted, const Tensor& x, bool out_int32, bool right,
                std::optional<std::string_view> side, const Tensor& sorter) {
  const DType dtype = PromoteTypes(sorted.dtype(), x.dtype());
  const Tensor found = searchsorted(contiguous(to(sorted, dtype)), contiguous(to(Rows(x), dtype)),
                                    out_int32, right, side, sorter);
  return view(found, x.sizes());
}

void Bucketize(BatchCall& c) {
  const bool number = c.args[0].tag != Tag::kTensor;
  if (!c.batched(1)) {
    NewArgs args(c);
    args.Set(0, c.value(0));
    return c.Call(args);
  }
  if (c.rank(1) != 1) return BatchLoop(c);  // its error
  const Tensor bounds = c.value(1);
  const Tensor x = number ? c.expanded(NumberLike(c.args[0].scalar(), bounds)) : c.expanded(0);
  c.Set(0, Searched(bounds, x, c.args[2].i != 0, c.args[3].i != 0, std::nullopt, Tensor()));
}
const Batching bucketize_rule{{"bucketize.Tensor", "bucketize.Scalar"}, Bucketize};

void SearchSorted(BatchCall& c) {
  const bool number = c.args[1].tag != Tag::kTensor;
  const int64_t rank = c.rank(0);
  NewArgs args(c);
  const bool has_sorter = c.args[5].tag == Tag::kTensor && c.args[5].tensor().defined();
  if (rank != 1) {
    if (number || c.rank(1) != rank) return BatchLoop(c);  // its error
    args.Set(0, c.expanded(0));
    args.Set(1, contiguous(c.expanded(1)));
    if (has_sorter) args.Set(5, c.expanded(5));
    return c.Call(args);
  }
  if (!number && !c.batched(0) && !c.batched(5)) {
    args.Set(1, c.value(1));
    return c.Call(args);
  }
  const Tensor sorted = c.expanded(0);
  const Tensor x = number ? c.expanded(NumberLike(c.args[1].scalar(), sorted)) : c.expanded(1);
  if (!number && x.dtype() != sorted.dtype() && c.rank(1) != 0) return BatchLoop(c);  // its error
  const std::optional<std::string_view> side =
      c.args[4].is_none() ? std::nullopt : std::optional(c.args[4].text());
  c.Set(0, Searched(sorted, x, c.args[2].i != 0, c.args[3].i != 0, side,
                    has_sorter ? contiguous(c.expanded(5)) : Tensor()));
}
const Batching searchsorted_rule{{"searchsorted.Tensor", "searchsorted.Scalar"}, SearchSorted};

// Each with each, where these are few.
void IsIn(BatchCall& c) {
  constexpr int64_t kMostPairs = int64_t{1} << 26;
  const bool number = c.args[0].tag != Tag::kTensor, invert = c.args[3].i != 0;
  if (!c.batched(1)) {
    NewArgs args(c);
    args.Set(0, c.value(0));
    return c.Call(args);
  }
  const Tensor among = unsqueeze(Rows(c.value(1)), 1);  // [B, 1, m]
  const int64_t m = among.size(2), n = number ? 1 : c.args[0].tensor().numel();
  if (m != 0 && n > kMostPairs / m / std::max<int64_t>(c.batch_size(), 1)) return BatchLoop(c);
  const Tensor found =
      number ? eq(among, c.args[0].scalar()) : eq(unsqueeze(Rows(c.expanded(0)), 2), among);
  const Tensor is = any(found, -1);  // [B, n]
  const IntSpan sizes = number ? IntSpan() : c.args[0].tensor().sizes();
  c.Set(0, view(invert ? logical_not(is) : is, Joined(c.batch_size(), sizes)));
}
const Batching isin_rule{{"isin.Tensor_Tensor", "isin.Scalar_Tensor"}, IsIn};

// --- Masks: the n-th true one has the n-th of the others.

// Of mask in rows: 1 … for those that are true, 0 for others.
Tensor Counted(const Tensor& mask) {
  const Tensor flat = reshape(mask, {-1});
  return where(flat, cumsum(flat, 0), 0);
}
Tensor MaskedScatter(const Tensor& self, const Tensor& mask, const Tensor& source) {
  const std::vector<int64_t> sizes = broadcast_shapes(self.sizes(), mask.sizes());
  const Tensor m = expand(mask, sizes);
  const Tensor values = take(constant_pad_nd(reshape(source, {-1}), {1, 0}), Counted(m));
  return where(m, view(values, sizes), self);
}
Tensor MaskedScatterBackward(const Tensor& g, const Tensor& mask, IntSpan sizes) {
  const int64_t n = NumElements(sizes);
  const Tensor at = Counted(expand(mask, g.sizes()));
  const Tensor all = scatter_add(new_zeros(g, {n + 1}), 0, at, reshape(g, {-1}));
  return view(narrow(all, 0, 1, n), sizes);
}
Tensor MaskedSelectBackward(const Tensor& g, const Tensor& input, const Tensor& mask) {
  const std::vector<int64_t> sizes = broadcast_shapes(input.sizes(), mask.sizes());
  return masked_scatter(new_zeros(g, sizes), mask, g);
}
// As many of each example as the mask says, if it is one for all.
void MaskedSelect(BatchCall& c) {
  if (c.batched(1)) {
    Fail(ErrorCode::kInvalidArgument, c.op.name(),
         {"vmap: the sizes of its result depend on values, and would differ between examples, "
          "where mask has a batch; use where"});
  }
  const Tensor mask = c.value(1);
  const std::vector<int64_t> sizes = broadcast_shapes(c.args[0].tensor().sizes(), mask.sizes());
  const int64_t n = NumElements(sizes);
  const Tensor places = arange(n, DType::kInt64, std::nullopt, mask.device());
  const Tensor x = WithRank(c.value(0), static_cast<int64_t>(sizes.size()));
  const Tensor rows = reshape(expand(x, Joined(c.batch_size(), sizes)), {c.batch_size(), n});
  c.Set(0, index_select(rows, 1, masked_select(view(places, sizes), mask)));
}
const Batching masked_select_rule{"masked_select", MaskedSelect};
const Batching masked_scatter_rule{"masked_scatter", Decomposed(MaskedScatter)};
const Batching masked_scatter_backward_rule{"masked_scatter_backward",
                                            Decomposed(MaskedScatterBackward)};
const Batching masked_select_backward_rule{"masked_select_backward",
                                           Decomposed(MaskedSelectBackward)};

// --- What reading by index passes back, and tables.

Tensor GatherBackward(const Tensor& g, const Tensor& self, int64_t dim, const Tensor& at,
                      bool sparse) {
  if (sparse) {
    Fail(ErrorCode::kNotImplemented, "gather_backward",
         {"vmap: with sparse_grad the result is sparse, and cannot have a batch"});
  }
  return scatter_add(new_zeros(g, self.sizes()), dim, at, g);
}
const Batching gather_backward_rule{"gather_backward", Decomposed(GatherBackward)};
Tensor ExtremeBackward(const Tensor& g, const Tensor& input, const Tensor& at, int64_t dim) {
  return scatter_add(new_zeros(g, input.sizes()), dim, at, g);
}
const Batching extreme_backward_rule{"cummaxmin_backward", Decomposed(ExtremeBackward)};

Tensor OneHot(const Tensor& self, int64_t classes) {
  if (classes < 0) {
    Fail(ErrorCode::kInvalidArgument, "one_hot",
         {"vmap: without num_classes the sizes of its result depend on values, and would differ "
          "between examples"});
  }
  const Tensor all = new_zeros(self, Joined(self.sizes(), classes));
  return scatter(all, -1, unsqueeze(self, -1), 1);
}
const Batching one_hot_rule{"one_hot", Decomposed(OneHot)};

// How many there are depends on values: for each example, where all have as many.
const Batching counts_rule{{"bincount", "repeat_interleave.Tensor", "_ctc_loss.Tensor"}, BatchLoop};

// Where the first `size` ones stand, by their number among those that are not 0.
Tensor NonzeroStatic(const Tensor& self, int64_t size, int64_t fill_value) {
  if (size < 0) {
    Fail(ErrorCode::kInvalidArgument, "nonzero_static", {"size must not be negative, got ", size});
  }
  if (self.dim() == 0) return new_empty(self, {size, 0}, DType::kInt64);
  const Tensor is = reshape(ne(self, 0), {-1}), number = cumsum(is, 0);
  // What is none of them goes to a place in front of all, which is cut off.
  const Tensor at = where(logical_and(is, le(number, size)), number, 0);
  const Tensor places = arange(self.numel(), DType::kInt64, std::nullopt, self.device());
  const Tensor none = new_full(number, {size + 1}, -1);
  const Tensor found = narrow(scatter(none, 0, at, places), 0, 1, size);
  std::vector<Tensor> coordinates;
  int64_t stride = self.numel();
  for (const int64_t n : self.sizes()) {
    stride = n == 0 ? 1 : std::max<int64_t>(stride / n, 1);
    const Tensor along = remainder(div(found, stride, "floor"), std::max<int64_t>(n, 1));
    coordinates.push_back(where(ge(found, 0), along, fill_value));
  }
  return stack(coordinates, 1);
}
const Batching nonzero_static_rule{"nonzero_static", Decomposed(NonzeroStatic)};

void Embedding(BatchCall& c) {
  const int64_t padding = c.args[2].i;
  if (!c.batched(0)) {
    NewArgs args(c);
    args.Set(1, c.value(1));
    return c.Call(args);
  }
  if (c.rank(0) != 2) return BatchLoop(c);  // its error
  // One table of all examples' rows.
  Tensor tables = c.value(0);
  const int64_t rows = tables.size(1);
  if (padding >= 0 && is_grad_enabled() && requires_grad(tables)) {  // that row passes nothing back
    const Tensor row = arange(rows, DType::kInt64, std::nullopt, tables.device());
    tables = where(unsqueeze(eq(row, padding), 1), detach(tables), tables);
  }
  c.Set(0, embedding(flatten(tables, 0, 1), AmongAll(c.expanded(1), rows)));
}
const Batching embedding_rule{"embedding", Embedding};

void EmbeddingBackward(BatchCall& c) {
  const int64_t rows = c.args[2].i, padding = c.args[3].i, all = rows * c.batch_size();
  const Tensor g = c.expanded(0), at = Rows(c.expanded(1));
  // What is of padding goes to a row behind all.
  const Tensor places = where(eq(at, padding), all, AmongAll(at, rows, 1));
  const Tensor flat = reshape(g, {places.numel(), g.size(-1)});
  const Tensor tables =
      embedding_dense_backward(flat, flatten(places), all + 1, -1, c.args[4].i != 0);
  c.Set(0, view(narrow(tables, 0, 0, all), {c.batch_size(), rows, g.size(-1)}));
}
const Batching embedding_backward_rule{"embedding_dense_backward", EmbeddingBackward};

}  // namespace
}  // namespace sy::transforms
