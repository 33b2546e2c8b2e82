// Sizes, strides and offsets multiplied and added without overflow: what shape functions,
// composites and kernels compute those with that come from the caller.
//
//   const int64_t n = CheckedProduct(r, "row * col", row, col);
//   const int64_t end = CheckedSum(op.name(), "start + length", start, length);
//
// op: who asks, a ShapeContext, a Call or an operator's name. what: the result in words, for the
// message.
// Cost: an addition or multiplication and a jump that is not taken.
// Owns: nothing.
// Threads: any.
// Errors: kInvalidArgument, "triu_indices(): row * col is too large: 4294967296 * 4294967296".
#ifndef SWITCHYARD_CORE_CHECKED_H_
#define SWITCHYARD_CORE_CHECKED_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "switchyard/core/error.h"
#include "switchyard/core/macros.h"

namespace sy {

namespace internal {

// Texts of the failures; out of line, so that the check is two instructions.
[[noreturn]] SY_API SY_COLD void FailTooLarge(std::string_view op, std::string_view what,
                                              std::string_view sign,
                                              std::span<const int64_t> numbers);
// The operator's name, of a text or of what has an op().
template <class Op>
std::string_view OpName(const Op& op) {
  if constexpr (std::is_convertible_v<const Op&, std::string_view>) {
    return op;
  } else {
    return op.op();
  }
}
// Numbers of an argument list, for the message.
template <class Op, class... N>
[[noreturn]] SY_COLD void FailTooLargeOf(const Op& op, std::string_view what, std::string_view sign,
                                         N... n) {
  const int64_t numbers[] = {n...};
  FailTooLarge(OpName(op), what, sign, numbers);
}

// kInvalidArgument, with what was added to what.
template <class Op>
[[noreturn]] SY_COLD void FailOffset(const Op& op, int64_t start, int64_t steps, int64_t stride) {
  Fail(ErrorCode::kInvalidArgument, OpName(op),
       {"the storage offset is too large: ", start, " + ", steps, " * ", stride});
}

}  // namespace internal

// a * b * …, from the left. It fails where a partial product exceeds 64 bits, though a later factor
// is 0.
template <class Op, class... N>
int64_t CheckedProduct(const Op& op, std::string_view what, int64_t a, int64_t b, N... more) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product) ||
      (false || ... || __builtin_mul_overflow(product, more, &product))) [[unlikely]] {
    internal::FailTooLargeOf(op, what, " * ", a, b, int64_t{more}...);
  }
  return product;
}
// Of a list of sizes; 1 of none.
template <class Op>
int64_t CheckedProduct(const Op& op, std::string_view what, std::span<const int64_t> factors) {
  int64_t product = 1;
  for (const int64_t n : factors) {
    if (__builtin_mul_overflow(product, n, &product)) [[unlikely]]
      internal::FailTooLarge(internal::OpName(op), what, " * ", factors);
  }
  return product;
}

// a + b + …, from the left; each may be negative.
template <class Op, class... N>
int64_t CheckedSum(const Op& op, std::string_view what, int64_t a, int64_t b, N... more) {
  int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum) ||
      (false || ... || __builtin_add_overflow(sum, more, &sum))) [[unlikely]] {
    internal::FailTooLargeOf(op, what, " + ", a, b, int64_t{more}...);
  }
  return sum;
}

// Where a tensor may begin at most, in elements: as many of the largest dtype, of 16 bytes, can be
// counted in bytes.
inline constexpr int64_t kMostOffset = INT64_MAX / 16;

// start + steps * stride, the offset of an element, in elements. start: 0 … kMostOffset. Fails also
// where the sum is negative or above kMostOffset.
template <class Op>
SY_INLINE int64_t CheckedOffset(const Op& op, int64_t start, int64_t steps, int64_t stride) {
  int64_t way = 0;
  const bool wide = __builtin_mul_overflow(steps, stride, &way);
  const uint64_t offset = static_cast<uint64_t>(start) + static_cast<uint64_t>(way);
  if (wide || offset > uint64_t{kMostOffset}) [[unlikely]]
    internal::FailOffset(op, start, steps, stride);
  return static_cast<int64_t>(offset);
}

// A factor that is not wanted where it does not fit: the stride of a dimension of at most one
// element, which nothing takes, may be any. `otherwise`: what a product beyond 64 bits gives.
constexpr int64_t ProductOr(int64_t a, int64_t b, int64_t otherwise) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? otherwise : product;
}

}  // namespace sy

#endif  // SWITCHYARD_CORE_CHECKED_H_
