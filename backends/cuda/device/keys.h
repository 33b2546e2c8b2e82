// Elements as unsigned numbers that order as they do: -0 equals 0, NaN comes last.
//
//   KeyOf(1.5f) < KeyOf(2.0f)
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_KEYS_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_KEYS_H_

#include "switchyard/backends/cuda/device/number.h"
#include "switchyard/backends/cuda/device/order_args.h"

namespace sy::cuda {

template <class T>
inline constexpr int kKeyBits = 8 * static_cast<int>(sizeof(T));

template <int kBytes>
struct KeyOfSize {
  using Type = unsigned;
};
template <>
struct KeyOfSize<8> {
  using Type = UInt64;
};
template <class T>
using Key = typename KeyOfSize<sizeof(T)>::Type;
template <class T>
inline constexpr Key<T> kAllOnes = static_cast<Key<T>>(~0ull) >> (8 * sizeof(Key<T>) - kKeyBits<T>);

template <class T>
inline constexpr bool kHasNaN = kIsHalf<T> || kIsFloat<T>;
// The key of NaN, which nothing else has, where there are such.
template <class T>
inline constexpr Key<T> kNaNKey = kAllOnes<T>;

// Bits of IEEE 754's formats: sign, exponent, mantissa.
template <class T, int kMantissa>
SY_FN Key<T> KeyOfFloat(Key<T> bits) {
  constexpr Key<T> kSign = Key<T>(1) << (kKeyBits<T> - 1);
  constexpr Key<T> kInfinity = (kSign >> kMantissa << kMantissa) - (Key<T>(1) << kMantissa);
  const Key<T> magnitude = bits & (kSign - 1);
  // -0 becomes 0. Then all bits of negative numbers turn round, of others the sign: no branches.
  const Key<T> x = magnitude == 0 ? Key<T>(0) : bits;
  const Key<T> key = x ^ ((x & kSign) != 0 ? kAllOnes<T> : kSign);
  return magnitude > kInfinity ? kNaNKey<T> : key;
}

template <class T>
SY_FN Key<T> KeyOf(T x) {
  if constexpr (kSameType<T, Bool>) {
    return x.bits;
  } else if constexpr (kSameType<T, Float16>) {
    return KeyOfFloat<T, 10>(x.bits);
  } else if constexpr (kSameType<T, BFloat16>) {
    return KeyOfFloat<T, 7>(x.bits);
  } else if constexpr (kSameType<T, float>) {
    return KeyOfFloat<T, 23>(BitCast<unsigned>(x));
  } else if constexpr (kSameType<T, double>) {
    return KeyOfFloat<T, 52>(BitCast<UInt64>(x));
  } else if constexpr (T(-1) < T(0)) {
    return (static_cast<Key<T>>(x) & kAllOnes<T>)^(Key<T>(1) << (kKeyBits<T> - 1));
  } else {
    return x;
  }
}
template <class T, bool kDescending>
SY_FN Key<T> OrderKey(T x) {
  return kDescending ? KeyOf(x) ^ kAllOnes<T> : KeyOf(x);
}

template <class T>
SY_FN bool IsNaN(T x) {
  if constexpr (kHasNaN<T>) {
    return KeyOf(x) == kNaNKey<T>;
  } else {
    return false;
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_KEYS_H_
