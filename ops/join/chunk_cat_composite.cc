// _chunk_cat: zeros, with each tensor's pieces copied to their places.

#include <utility>
#include <vector>

#include "ops/join/checks_composite.h"
#include "switchyard/core/checked.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

int64_t ChunkDim(Call call, TensorList tensors, int64_t dim, int64_t num_chunks) {
  RequireTensors(call, tensors);
  if (num_chunks < 1) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"num_chunks must be at least 1, got ", num_chunks});
  }
  const Tensor& first = tensors[0];
  bool same_rank = true;
  for (const Tensor& t : tensors) same_rank &= t.dim() == first.dim();
  if (dim < 0 && !same_rank) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"dim must not be negative for tensors of several ranks, got ", dim});
  }
  const int64_t wrapped = dim < 0 ? dim + first.dim() : dim;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& t = tensors[i];
    if (t.numel() == 0)
      Fail(ErrorCode::kInvalidArgument, call.op(), {"tensor ", i, " has no elements"});
    if (wrapped < 0 || wrapped >= t.dim()) {
      Fail(ErrorCode::kOutOfRange, call.op(),
           {"dim ", dim, " is out of range for tensor ", i, " of sizes ", t.sizes()});
    }
    if (t.dtype() != first.dtype() ||
        !SameSizes(t.sizes().first(static_cast<size_t>(wrapped)),
                   first.sizes().first(static_cast<size_t>(wrapped)))) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"tensors must have the same dtype and the same sizes in front of dim ", wrapped,
            "; got ", Describe(first), " and ", Describe(t)});
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

}  // namespace
}  // namespace sy
