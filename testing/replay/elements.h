// Walks the elements of a strided tensor in row-major order.
//
//   ForEachOffset(t.sizes(), t.strides(), [&](int64_t offset) { … p[offset] … });
//
// Offsets and strides count elements.
// Threads: any.
#ifndef TESTING_REPLAY_ELEMENTS_H_
#define TESTING_REPLAY_ELEMENTS_H_

#include <array>
#include <complex>
#include <type_traits>

#include "switchyard/core/dtype.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/tensor_impl.h"

namespace sy::replay {

// f(offset) for each element; empty tensors have none, 0-dim ones one.
template <class F>
void ForEachOffset(IntSpan sizes, IntSpan strides, F f) {
  const size_t rank = sizes.size();
  for (int64_t n : sizes) {
    if (n == 0) return;
  }
  std::array<int64_t, kMaxRank> at = {};
  for (int64_t offset = 0;;) {
    f(offset);
    size_t d = rank;
    for (; d > 0; --d) {
      offset += strides[d - 1];
      if (++at[d - 1] < sizes[d - 1]) break;
      offset -= sizes[d - 1] * strides[d - 1];
      at[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

// f(position) for each element, position: one index per dimension.
template <class F>
void ForEachPosition(IntSpan sizes, F f) {
  for (int64_t n : sizes) {
    if (n == 0) return;
  }
  std::array<int64_t, kMaxRank> at = {};
  const IntSpan position(at.data(), sizes.size());
  for (;;) {
    f(position);
    size_t d = sizes.size();
    for (; d > 0; --d) {
      if (++at[d - 1] < sizes[d - 1]) break;
      at[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

// An element as the widest type of its kind: a double, a complex of doubles, or the integer it is.
template <class T>
auto Widen(const T& x) {
  if constexpr (std::is_same_v<T, ComplexHalf>) {
    return std::complex<double>(std::complex<float>(x));
  } else if constexpr (requires { typename T::value_type; }) {
    return std::complex<double>(x);
  } else if constexpr (std::is_integral_v<T>) {
    return x;
  } else {
    return static_cast<double>(x);
  }
}

}  // namespace sy::replay

#endif  // TESTING_REPLAY_ELEMENTS_H_
