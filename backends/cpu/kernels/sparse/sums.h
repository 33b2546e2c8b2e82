// What numbers of sparse matrices are added up in.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_SPARSE_SUMS_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_SPARSE_SUMS_H_

#include <cstdint>
#include <type_traits>

#include "switchyard/core/dtype.h"

namespace sy::cpu {

constexpr DTypeMask kNumbers = kIntegerTypes | kFloatingTypes | kComplexTypes;

// 16-bit floats in float, integers without a sign, which wrap.
template <class T>
struct Sums {
  using type = std::conditional_t<std::is_integral_v<T>,
                                  std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>, T>;
};
template <>
struct Sums<Half> {
  using type = float;
};
template <>
struct Sums<BFloat16> {
  using type = float;
};
template <class T>
using SumOf = typename Sums<T>::type;

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_SPARSE_SUMS_H_
