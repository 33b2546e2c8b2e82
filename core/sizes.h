// Sizes: the sizes or strides of a tensor, as the tensor shows them. A span that can be compared.
//
//   x.sizes() == y.sizes();  x.sizes() == std::vector<int64_t>{2, 3};
//   std::cout << x.sizes();                                         // [2, 3], core/printing.h
//
// Lists of integers that functions take are IntSpan, which a Sizes is.
// Owns: nothing. It is valid until the tensor dies or is given another geometry.
// Threads: any.
// Errors: none; positions are not checked.
#ifndef SWITCHYARD_CORE_SIZES_H_
#define SWITCHYARD_CORE_SIZES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sy {

// Sizes, strides, dimensions, permutations: what ATen calls an IntArrayRef.
using IntSpan = std::span<const int64_t>;

// What Tensor::sizes() and strides() return. [] of 0-dim tensors.
class Sizes : public IntSpan {
 public:
  constexpr Sizes() = default;
  constexpr Sizes(const int64_t* first, size_t n) : IntSpan(first, n) {}
  constexpr explicit Sizes(IntSpan s) : IntSpan(s) {}

  // Equal in length and in every entry, with vectors and arrays too.
  friend constexpr bool operator==(const Sizes& a, IntSpan b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  friend constexpr bool operator==(const Sizes& a, const Sizes& b) {
    return a == static_cast<const IntSpan&>(b);
  }
};

}  // namespace sy

#endif  // SWITCHYARD_CORE_SIZES_H_
