// Loops over dimensions of several operands at once: sizes, and each operand's strides in elements.
//
//   Outer<2> outer;
//   for (d from the last to the first) outer.Add(sizes[d], {a.strides()[d], b.strides()[d]});
//   const auto inner = outer.TakeInnermost();
//   outer.ForEach(0, outer.count(), [&](const int64_t (&at)[2]) { … inner.size elements … });
//
// Dimensions of size 1 go away, and one that continues the last in every operand is merged with it.
// Owns: nothing. Threads: const use from any number.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_OUTER_LOOPS_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_OUTER_LOOPS_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "switchyard/core/tensor_impl.h"

namespace sy::cpu {

template <int kOperands>
class Outer {
 public:
  using Strides = std::array<int64_t, kOperands>;
  struct Dimension {
    int64_t size;
    Strides strides;
  };

  // Outside of those added before.
  void Add(int64_t size, Strides strides) {
    count_ *= size;
    if (size == 1) return;
    if (rank_ > 0 && Continues(dims_[rank_ - 1], strides)) {
      dims_[rank_ - 1].size *= size;
    } else {
      dims_[rank_++] = {size, strides};
    }
  }
  // Dimensions with smaller strides of the first operand inside. Before Add of none, after all.
  void SortByFirst() {
    std::stable_sort(dims_, dims_ + rank_, [](const Dimension& a, const Dimension& b) {
      return a.strides[0] < b.strides[0];
    });
    const int n = std::exchange(rank_, 0);
    for (int i = 0; i < n; ++i) {
      const Dimension d = dims_[i];
      if (rank_ > 0 && Continues(dims_[rank_ - 1], d.strides)) {
        dims_[rank_ - 1].size *= d.size;
      } else {
        dims_[rank_++] = d;
      }
    }
  }

  int rank() const { return rank_; }
  int64_t count() const { return count_; }  // of coordinates; 1 without dimensions
  // 0 <= i < rank(), the innermost first.
  const Dimension& operator[](int i) const { return dims_[i]; }
  // Removes the innermost dimension; one of size 1 where there is none.
  Dimension TakeInnermost() { return rank_ == 0 ? Dimension{1, {}} : Take(0); }
  Dimension Take(int i) {
    const Dimension d = dims_[i];
    std::copy(dims_ + i + 1, dims_ + rank_, dims_ + i);
    --rank_;
    count_ = 1;
    for (int k = 0; k < rank_; ++k) count_ *= dims_[k].size;
    return d;
  }

  // Calls f(offsets) for coordinates begin … end - 1, the innermost dimension fastest.
  template <class F>
  void ForEach(int64_t begin, int64_t end, F&& f) const {
    if (begin >= end) return;
    int64_t index[kMaxRank], at[kOperands] = {};
    int64_t rest = begin;
    for (int d = 0; d < rank_; ++d) {
      index[d] = rest % dims_[d].size;
      rest /= dims_[d].size;
      for (int k = 0; k < kOperands; ++k) at[k] += index[d] * dims_[d].strides[k];
    }
    for (int64_t i = begin; i < end; ++i) {
      f(at);
      for (int d = 0; d < rank_; ++d) {
        for (int k = 0; k < kOperands; ++k) at[k] += dims_[d].strides[k];
        if (++index[d] < dims_[d].size) break;
        for (int k = 0; k < kOperands; ++k) at[k] -= dims_[d].size * dims_[d].strides[k];
        index[d] = 0;
      }
    }
  }

 private:
  static bool Continues(const Dimension& inside, const Strides& strides) {
    for (int k = 0; k < kOperands; ++k) {
      if (strides[k] != inside.size * inside.strides[k]) return false;
    }
    return true;
  }

  int rank_ = 0;
  int64_t count_ = 1;
  Dimension dims_[kMaxRank];
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_OUTER_LOOPS_H_
