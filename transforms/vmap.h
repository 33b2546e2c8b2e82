// vmap: a function of examples, called once with all of them.
//
//   // of two vectors; called with two [B, n] it is of B pairs of vectors
//   auto dots = vmap([](const Tensor& a, const Tensor& b) { return dot(a, b); });
//   Tensor d = dots(x, y);                                     // [B]
//
//   // the batch is dimension 1 of x, and y is the same for all
//   auto f = vmap(Predict, {1, std::nullopt}, {1});
//
// Inside of the function a tensor with a batch looks like one example: it has the sizes of one, and
// operators are called on all examples at once, by a batching rule of the operator
// (transforms/batching.h). An operator without one is called for each example in turn, which is
// right and slow; VmapFallbacks() counts them. Nesting works, and so does vmap of what takes
// gradients (transforms/func.h), and the other way round.
//
//   // gradients of each example by itself
//   auto per_sample = vmap(func::grad(Loss), {std::nullopt, 0, 0});
//   Tensor g = per_sample(weights, x, y);                       // [B, sizes of weights]
//
// What a function may not do, since it would mean something else for each example: read a value
// (item), choose by it, make results whose sizes depend on values (nonzero, a mask as an index),
// and write a tensor with a batch into one without: what gathers is made by zeros_like or new_zeros
// of a tensor with a batch. `out=` cannot have a batch. The elements that data() shows are those of
// the first example. A composite that does so itself is called for each example, but not where its
// gradient is wanted for each: then it is an error too.
//
// Random numbers have to be asked for: with kError, which is the default, drawing is an error; with
// kDifferent each example gets numbers of its own, with kSame all get the same.
//
// torch.vmap and torch.func.vmap: names and semantics are theirs, but for trees of arguments: a
// function takes and gives tensors.
// Owns: what vmap returns owns the function; nothing outlives a call of it.
// Threads: any; a call's levels are its thread's.
// Errors: kInvalidArgument for dims that do not fit, sizes that differ, and tensors that have left
// the function which they were an example of; kNotImplemented where there is no way by batches.
#ifndef SWITCHYARD_TRANSFORMS_VMAP_H_
#define SWITCHYARD_TRANSFORMS_VMAP_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "switchyard/core/macros.h"
#include "switchyard/core/tensor.h"
#include "switchyard/transforms/function.h"

namespace sy {

enum class VmapRandomness : uint8_t { kError, kDifferent, kSame };
struct VmapOptions {
  // At most so many examples at a time, which takes less memory; without, all of them.
  std::optional<int64_t> chunk_size = std::nullopt;
  VmapRandomness randomness = VmapRandomness::kError;
};
// The batch's dimension of each argument, or result: one number for all of them, or one for each.
// nullopt: it is the same for all examples, and has no batch.
using VmapDims = std::vector<std::optional<int64_t>>;

// What vmap's functions do. f is called with examples of `inputs`; its results get a batch, those
// that do not depend on it by being repeated. out_dims is read when f has returned.
SY_API std::vector<Tensor> RunVmap(const TensorFunction& f, TensorList inputs,
                                   const VmapDims& in_dims, const VmapDims& out_dims,
                                   const VmapOptions& options);

// f (function.h) as a function of batches.
template <class F>
auto vmap(F f, VmapDims in_dims = {0}, VmapDims out_dims = {0}, VmapOptions options = {}) {
  auto t = AsTransformed(std::move(f));
  return decltype(t)([f = t.list(), in = std::move(in_dims), out = std::move(out_dims),
                      options](TensorList x) { return RunVmap(f, x, in, out, options); });
}

// Whether t stands for a batch, in a function that vmap runs.
SY_API bool is_batched(const Tensor& t);

// Calls of operators that had no batching rule and were made for each example, by operator, since
// the program began or the last reset, in all threads.
SY_API std::map<std::string, int64_t> VmapFallbacks();
SY_API void ResetVmapFallbacks();

}  // namespace sy

#endif  // SWITCHYARD_TRANSFORMS_VMAP_H_
