// What normalisations by channel have in common.
//
//   const ChannelSizes s = ChannelSizesOf(input);   // [samples, channels, ..]
//   const std::vector<double> w = Numbers(weight, s.channels, 1);
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_NN_CHANNEL_NORM_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_NN_CHANNEL_NORM_H_

#include <vector>

#include "switchyard/backends/cpu/engine/dense.h"

namespace sy::cpu {

inline constexpr int64_t kNormGrain = 1 << 13;  // elements worth a thread

// A vector as doubles, `missing` where there is none.
inline std::vector<double> Numbers(const Tensor& t, int64_t n, double missing) {
  if (!t.defined()) return std::vector<double>(static_cast<size_t>(n), missing);
  const Tensor wide = Dense(t, DType::kFloat64);
  return {wide.data<double>(), wide.data<double>() + n};
}
struct ChannelSizes {
  int64_t samples, channels, inner;  // inner: elements of a channel of a sample
};
inline ChannelSizes ChannelSizesOf(const Tensor& t) {
  const int64_t n = t.sizes()[0], c = t.sizes()[1];
  return {n, c, n * c == 0 ? 0 : t.numel() / (n * c)};
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_NN_CHANNEL_NORM_H_
