// Numbers of the normal distribution in sequence, a pair at a time, the second one kept for the
// next call where the generator keeps it.
// Source: at::normal_distribution<double>, ATen/core/DistributionsHelper.h (the Box-Muller method).
// Threads: the caller holds the generator's mutex.
#ifndef SWITCHYARD_BACKENDS_CPU_RANDOM_NORMAL_H_
#define SWITCHYARD_BACKENDS_CPU_RANDOM_NORMAL_H_

#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "backends/cpu/random/fill.h"

namespace sy::cpu {

class NormalSequence {
 public:
  explicit NormalSequence(Generator& g) : g_(g) {
    if (g.keeps_next_normal()) std::swap(next_, g.next_normal());
  }
  ~NormalSequence() {
    if (g_.keeps_next_normal()) g_.next_normal() = next_;
  }
  NormalSequence(const NormalSequence&) = delete;

  double Next() {
    if (next_) return *std::exchange(next_, std::nullopt);
    uint32_t words[4];
    g_.Draw(words);
    const double radius = std::sqrt(-2 * std::log1p(-UniformDouble(words + 2)));
    const double angle = 2 * std::numbers::pi * UniformDouble(words);
    next_ = radius * std::sin(angle);
    return radius * std::cos(angle);
  }

 private:
  Generator& g_;
  std::optional<double> next_;
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_RANDOM_NORMAL_H_
