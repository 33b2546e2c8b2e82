// Rules of indexing. A batched index means another element in each example: then the number of the
// example becomes an index besides.
#include <algorithm>

#include "transforms/rules/shared_internal.h"

namespace sy::transforms {
namespace {

void IndexSelect(BatchCall& c) {
  const int64_t rank = c.rank(0);
  if (rank == 0 || c.rank(2) > 1) return BatchLoop(c);
  const int64_t dim = FromBack(c, c.args[1].i, rank);
  const Tensor x = c.value(0), at = c.value(2);
  if (!c.batched(2)) return c.Set(0, index_select(x, dim, at));
  const Tensor rows = c.rank(2) == 0 ? unsqueeze(at, -1) : at;  // [B, n]
  if (!c.batched(0)) {
    // [.., B · n, ..] → [B, .., n, ..]
    const Tensor all = index_select(x, dim, flatten(rows));
    return c.Set(0, movedim(unflatten(all, dim, rows.sizes()), dim - 1, 0));
  }
  const Tensor front = movedim(x, dim, 1);  // [B, size, …]
  const Tensor picked = index(front, std::vector<Tensor>{Numbers(c.batch_size(), 2, x), rows});
  c.Set(0, movedim(picked, 1, dim));
}
const Batching index_select_rule{"index_select", IndexSelect};

// index_add, index_copy and index_fill, whose index is the same for all examples.
void IndexInto(BatchCall& c) {
  const int64_t rank = c.rank(0);
  if (c.batched(2) || rank == 0) return BatchLoop(c);
  NewArgs args(c);
  args.Set(0, c.expanded(0));
  args.Set(1, FromBack(c, c.args[1].i, rank));
  if (c.args[3].tag == Tag::kTensor) {
    if (c.rank(3) != rank) return BatchLoop(c);
    args.Set(3, c.expanded(3));
  }
  c.Call(args);
}
const Batching index_into{{"index_add", "index_copy", "index_fill.int_Scalar", "index_reduce"},
                          IndexInto};

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

// Numbers to be found in bounds that are the same for all examples.
void Bucketize(BatchCall& c) {
  if (c.batched(1)) return BatchLoop(c);
  NewArgs args(c);
  args.Set(0, c.value(0));
  c.Call(args);
}
const Batching bucketize_rule{{"bucketize.Tensor", "isin.Tensor_Tensor"}, Bucketize};

void SearchSorted(BatchCall& c) {
  const int64_t rank = c.rank(0), found = c.rank(1);
  if (rank != 1 || c.args[5].tag == Tag::kTensor || found == 0) return BatchLoop(c);
  const Tensor x = reshape(c.expanded(1), {c.batch_size(), c.args[1].tensor().numel()});
  NewArgs args(c);
  args.Set(0, c.expanded(0));
  args.Set(1, contiguous(x));
  c.Call(args);
  const Tensor flat = c.value(c.results()[0].tensor());
  c.Set(0, view(flat, Joined(c.batch_size(), c.args[1].tensor().sizes())));
}
const Batching searchsorted_rule{"searchsorted.Tensor", SearchSorted};

void Embedding(BatchCall& c) {
  const int64_t padding = c.args[2].i;
  if (!c.batched(0)) {
    NewArgs args(c);
    args.Set(1, c.value(1));
    return c.Call(args);
  }
  if (padding >= 0 || c.rank(0) != 2) return BatchLoop(c);
  // One table of all examples' rows.
  const Tensor tables = c.value(0);
  const int64_t rows = tables.size(1);
  const Tensor at = add(c.expanded(1), mul(Numbers(c.batch_size(), c.rank(1) + 1, tables), rows));
  c.Set(0, embedding(flatten(tables, 0, 1), at));
}
const Batching embedding_rule{"embedding", Embedding};

}  // namespace
}  // namespace sy::transforms
