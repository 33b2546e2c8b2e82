// Sizes that freed blocks are reused by: eight from one power of two to the next, so that requests
// of similar sizes share blocks. An eighth of a power of two at most is wasted.
//
//   SizeClass(1000, 64);                          // 1024: a multiple of 64, and of 512 / 8
//   heads[SizeClassIndex(SizeClass(n, 64), 6)];   // a list for each class from 2^6 on
//
// Owns: nothing. Threads: any. Errors: none.
#ifndef SWITCHYARD_CORE_SIZE_CLASS_H_
#define SWITCHYARD_CORE_SIZE_CLASS_H_

#include <algorithm>
#include <bit>
#include <cstddef>

namespace sy {

// The class that holds them. bytes: 1 … 2^63; least_step: a power of 2 that divides every class.
constexpr size_t SizeClass(size_t bytes, size_t least_step) {
  const size_t step = std::max(least_step, std::bit_floor(bytes) / 8);
  return (bytes + step - 1) / step * step;
}

// A number for each class, of those from 2^min_bits on (3 at least): below 8 * (b - min_bits) for
// those below 2^b.
constexpr size_t SizeClassIndex(size_t size_class, int min_bits) {
  const int e = std::bit_width(size_class) - 1;
  return static_cast<size_t>(e - min_bits) * 8 + (size_class >> (e - 3) & 7);
}

}  // namespace sy

#endif  // SWITCHYARD_CORE_SIZE_CLASS_H_
