#include "switchyard/transforms/vmap.h"

#include <algorithm>
#include <atomic>

#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "switchyard/ops.h"
#include "transforms/level_internal.h"

namespace sy {
namespace {

using transforms::Level;

std::atomic<uint64_t> last_level{0};

std::optional<int64_t> DimOf(const VmapDims& dims, size_t i) {
  return dims.size() == 1 ? dims[0] : dims[i];
}

void RequireDims(std::string_view which, const VmapDims& dims, size_t n, std::string_view what) {
  if (dims.size() == 1 || dims.size() == n) return;
  Fail(ErrorCode::kInvalidArgument, {"vmap(): ", which, " has ", int64_t(dims.size()),
                                     " dimensions, there are ", int64_t(n), " ", what});
}

// d within a tensor of that many dimensions.
int64_t Wrapped(std::string_view which, size_t i, int64_t d, int64_t rank, const Tensor& t) {
  if (d >= -rank && d < rank) return d < 0 ? d + rank : d;
  Fail(ErrorCode::kOutOfRange, {"vmap(): ", which, "[", int64_t(i), "] is ", d, ", expected ",
                                -rank, " … ", rank - 1, " for ", Describe(t)});
}

// The inputs with the batch in front, and its size.
struct Batch {
  std::vector<Tensor> values;
  std::vector<bool> has;
  int64_t size = -1;
};
Batch BatchOf(TensorList inputs, const VmapDims& in_dims) {
  Batch b;
  b.values.reserve(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& x = inputs[i];
    const std::optional<int64_t> d = DimOf(in_dims, i);
    b.has.push_back(d.has_value());
    if (!d) {
      b.values.push_back(x);
      continue;
    }
    if (!x.defined()) {
      Fail(ErrorCode::kInvalidArgument,
           {"vmap(): argument ", int64_t(i), " is undefined, and in_dims gives it a batch"});
    }
    b.values.push_back(movedim(x, Wrapped("in_dims", i, *d, x.dim(), x), 0));
    const int64_t size = b.values.back().size(0);
    if (b.size >= 0 && b.size != size) {
      Fail(ErrorCode::kInvalidArgument, {"vmap(): expected all batches to have one size, got ",
                                         b.size, " and, of argument ", int64_t(i), ", ", size});
    }
    b.size = size;
  }
  if (b.size < 0) {
    Fail(ErrorCode::kInvalidArgument, {"vmap(): at least one argument needs a batch (in_dims)"});
  }
  return b;
}

// The batch of a result, whatever its level, as its dimension out_dim.
Tensor WithBatch(const Tensor& t, const Level& level, const VmapDims& out_dims, size_t k) {
  const std::optional<int64_t> d = DimOf(out_dims, k);
  if (!t.defined()) {
    Fail(ErrorCode::kInvalidArgument, {"vmap(): result ", int64_t(k), " is undefined"});
  }
  const transforms::Batched* b = transforms::BatchedOf(t);
  const bool batched = b != nullptr && b->level == level.id;
  if (!d && batched) {
    Fail(ErrorCode::kInvalidArgument,
         {"vmap(): result ", int64_t(k), " differs between examples, and out_dims[", int64_t(k),
          "] gives its batch no dimension"});
  }
  if (!d) return t;
  Tensor value;
  if (batched) {
    value = b->value;
  } else {
    std::vector<int64_t> sizes = {level.size};
    sizes.insert(sizes.end(), t.sizes().begin(), t.sizes().end());
    value = expand(unsqueeze(t, 0), sizes);
  }
  return movedim(value, 0, Wrapped("out_dims", k, *d, value.dim(), value));
}

std::vector<Tensor> RunBatch(const TensorFunction& f, const Batch& b, const VmapDims& out_dims,
                             VmapRandomness randomness) {
  Level* outer = transforms::Innermost();
  Level level{++last_level, b.size, randomness, outer == nullptr ? 1 : outer->depth + 1, outer};
  std::vector<Tensor> results;
  {
    std::vector<Tensor> examples;
    examples.reserve(b.values.size());
    for (size_t i = 0; i < b.values.size(); ++i) {
      examples.push_back(b.has[i] ? MakeBatched(b.values[i], level) : b.values[i]);
    }
    const transforms::Within inside(&level);
    results = f(examples);
  }
  RequireDims("out_dims", out_dims, results.size(), "results");
  for (size_t k = 0; k < results.size(); ++k) {
    results[k] = WithBatch(results[k], level, out_dims, k);
  }
  return results;
}

}  // namespace

std::vector<Tensor> RunVmap(const TensorFunction& f, TensorList inputs, const VmapDims& in_dims,
                            const VmapDims& out_dims, const VmapOptions& options) {
  RequireDims("in_dims", in_dims, inputs.size(), "arguments");
  const Batch all = BatchOf(inputs, in_dims);
  if (options.chunk_size && *options.chunk_size <= 0) {
    Fail(ErrorCode::kInvalidArgument,
         {"vmap(): expected a chunk_size above 0, got ", *options.chunk_size});
  }
  const int64_t chunk = options.chunk_size.value_or(all.size);
  if (chunk >= all.size) return RunBatch(f, all, out_dims, options.randomness);
  std::vector<std::vector<Tensor>> pieces;  // of each result
  for (int64_t at = 0; at < all.size; at += chunk) {
    Batch b = all;
    b.size = std::min(chunk, all.size - at);
    for (size_t i = 0; i < b.values.size(); ++i) {
      if (b.has[i]) b.values[i] = narrow(all.values[i], 0, at, b.size);
    }
    const std::vector<Tensor> results = RunBatch(f, b, out_dims, options.randomness);
    pieces.resize(results.size());
    for (size_t k = 0; k < results.size(); ++k) pieces[k].push_back(results[k]);
  }
  std::vector<Tensor> whole;
  whole.reserve(pieces.size());
  for (size_t k = 0; k < pieces.size(); ++k) {
    const std::optional<int64_t> d = DimOf(out_dims, k);
    whole.push_back(d ? cat(pieces[k], *d) : pieces[k][0]);
  }
  return whole;
}

}  // namespace sy
