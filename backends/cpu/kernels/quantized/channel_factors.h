// What sums of products are multiplied by and what is added, for each output channel, several times
// over where there are few channels: loops then go over many positions at once.
//
//   const ChannelFactors factors(steps, added);
//   factors.ForEach(row, rows, 0, factors.channels(), [&](to, from, n, steps, added) { … });
//
// Owns: the numbers.
// Threads: any.
#ifndef BACKENDS_CPU_KERNELS_QUANTIZED_CHANNEL_FACTORS_H_
#define BACKENDS_CPU_KERNELS_QUANTIZED_CHANNEL_FACTORS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sy::cpu {

class ChannelFactors {
 public:
  ChannelFactors(const std::vector<float>& steps, const std::vector<float>& added)
      : channels_(static_cast<int64_t>(steps.size())),
        times_(std::max<int64_t>(1, kAtOnce / std::max<int64_t>(1, channels_))) {
    for (int64_t i = 0; i < times_; ++i) {
      steps_.insert(steps_.end(), steps.begin(), steps.end());
      added_.insert(added_.end(), added.begin(), added.end());
    }
  }
  int64_t channels() const { return channels_; }

  // f(to, from, n, steps, added) for sums [rows, columns] of channels from `column` on: elements
  // from `to` on of outputs [.., channels] are those of sums from `from` on.
  template <class F>
  void ForEach(int64_t row, int64_t rows, int64_t column, int64_t columns, F f) const {
    if (columns == channels_) {
      const int64_t n = rows * columns, at_once = times_ * columns;
      for (int64_t i = 0; i < n; i += at_once)
        f(row * columns + i, i, std::min(at_once, n - i), steps_.data(), added_.data());
      return;
    }
    for (int64_t r = 0; r < rows; ++r) {
      f((row + r) * channels_ + column, r * columns, columns, steps_.data() + column,
        added_.data() + column);
    }
  }

 private:
  static constexpr int64_t kAtOnce = 512;
  int64_t channels_, times_;
  std::vector<float> steps_, added_;
};

}  // namespace sy::cpu

#endif  // BACKENDS_CPU_KERNELS_QUANTIZED_CHANNEL_FACTORS_H_
