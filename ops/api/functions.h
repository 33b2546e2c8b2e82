// Functions that PyTorch has by these names and that are no operators here: each is made of some.
//
//   sy::unique(x);  sy::unravel_index(i, {2, 3});  sy::broadcast_shapes({2, 1}, {3});
//
// They are not in the registry: layers see the operators that they call, and call() does not know
// them. Included by switchyard/ops.h. Owns: nothing. Threads: any. Errors: as the functions they
// call.
#ifndef SWITCHYARD_OPS_API_FUNCTIONS_H_
#define SWITCHYARD_OPS_API_FUNCTIONS_H_

#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/core/promotion.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/tensor.h"
#include "switchyard/ops/api/arguments.h"

namespace sy {

// The different elements, in ascending order: 1-d, of self's dtype. With the positions or counts of
// each: below; of neighbours: unique_consecutive.
inline Tensor unique(const Tensor& self) { return std::get<0>(_unique2(self)); }
// They, where each element of self went among them, and how often each occurs; what is not asked
// for is empty. With dim: of the slices along it. Elements are sorted either way.
// Errors: as unique_dim's.
template <ExactBool B>
std::tuple<Tensor, Tensor, Tensor> unique(const Tensor& self, B sorted, bool return_inverse = false,
                                          bool return_counts = false,
                                          Optional<int64_t> dim = std::nullopt) {
  if (!dim) return _unique2(self, sorted, return_inverse, return_counts);
  auto all = unique_dim(self, *dim, sorted, return_inverse, return_counts);
  if (!return_inverse) std::get<1>(all) = new_empty(std::get<1>(all), {0});
  if (!return_counts) std::get<2>(all) = new_empty(std::get<2>(all), {0});
  return all;
}

// Positions in a row of all elements as coordinates in a tensor of sizes `shape`: one tensor for
// each dimension, int64, of the indices' sizes. Positions wrap around.
// Errors: kInvalidArgument for indices that are no integers and for sizes below 0.
inline std::vector<Tensor> unravel_index(const Tensor& indices, const Ints& shape) {
  if (!IsIntegral(indices.dtype(), false)) {
    Fail(ErrorCode::kInvalidArgument,
         {"unravel_index(): indices must be integers, got ", Describe(indices)});
  }
  const IntSpan sizes = shape;
  std::vector<Tensor> coordinates(sizes.size());
  Tensor rest = to(indices, DType::kInt64);
  for (size_t d = sizes.size(); d-- > 0;) {
    if (sizes[d] < 0) {
      Fail(ErrorCode::kInvalidArgument,
           {"unravel_index(): shape must not be negative, got ", sizes});
    }
    coordinates[d] = remainder(rest, sizes[d]);
    rest = floor_divide(rest, sizes[d]);
  }
  return coordinates;
}

// Nothing where the one element of `condition` is not 0.
// Errors: kInvalidValue with the message where it is, kInvalidArgument for more elements.
inline void _assert(const Tensor& condition, std::string_view message) {
  if (!is_nonzero(condition)) Fail(ErrorCode::kInvalidValue, {message});
}
inline void _assert(bool condition, std::string_view message) {
  if (!condition) Fail(ErrorCode::kInvalidValue, {message});
}

// The sizes that both broadcast to: from the last dimension on, equal or 1. At most kMaxRank sizes
// each.
// Errors: kInvalidArgument naming both.
inline std::vector<int64_t> broadcast_shapes(const Ints& a, const Ints& b) {
  std::vector<int64_t> sizes(kMaxRank);
  sizes.resize(static_cast<size_t>(Broadcast(a, b, sizes.data(), "broadcast_shapes")));
  return sizes;
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_API_FUNCTIONS_H_
