// The order in which random operators visit elements: which element gets which number of the
// stream.
//
// It is ATen's: the dimension with the smallest stride is innermost, the first operand's strides
// first, so that a dense tensor is filled in the order of memory, whatever its dimensions' order.
// Source: TensorIteratorBase::reorder_dimensions and coalesce_dimensions, ATen/TensorIterator.cpp.
// Owns: nothing. Threads: each its own.
#ifndef SWITCHYARD_BACKENDS_CPU_RANDOM_ORDER_H_
#define SWITCHYARD_BACKENDS_CPU_RANDOM_ORDER_H_

#include <algorithm>
#include <cstdint>

#include "switchyard/core/tensor.h"

namespace sy::cpu {

// One more than a tensor's, for the real and imaginary parts of complex numbers.
inline constexpr int kMaxVisitRank = kMaxRank + 1;

// Sizes, and strides in elements of one or two operands, innermost first; neighbours that lie like
// one dimension are merged. A stride of 0 repeats.
struct Visit {
  int rank = 0;
  int64_t sizes[kMaxVisitRank];
  int64_t strides[2][kMaxVisitRank];

  // Whether the first operand is visited from its first address on, without gaps.
  bool dense() const { return rank == 0 || (rank == 1 && (strides[0][0] == 1 || sizes[0] == 1)); }
};

// second: as many as sizes, or empty.
Visit VisitOf(IntSpan sizes, IntSpan first, IntSpan second = {});

// A position in a visit, and the elements that follow it.
class Cursor {
 public:
  explicit Cursor(const Visit& visit) : v_(visit) { std::fill_n(index_, std::max(v_.rank, 1), 0); }
  // Calls f(first offset, second offset, i) for i from 0 on below n, the offsets in elements.
  template <class F>
  void Next(int64_t n, F&& f) {
    if (v_.rank == 0) {
      if (n > 0) f(offset_[0], offset_[1], int64_t{0});
      return;
    }
    for (int64_t i = 0; i < n;) {
      const int64_t run = std::min(n - i, v_.sizes[0] - index_[0]);
      for (int64_t k = 0; k < run; ++k) {
        f(offset_[0] + k * v_.strides[0][0], offset_[1] + k * v_.strides[1][0], i + k);
      }
      i += run;
      Advance(run);
    }
  }

 private:
  void Advance(int64_t run) {
    Move(0, run);
    for (int d = 0; d + 1 < v_.rank && index_[d] == v_.sizes[d]; ++d) {
      Move(d, -v_.sizes[d]);
      Move(d + 1, 1);
    }
  }
  void Move(int d, int64_t steps) {
    index_[d] += steps;
    offset_[0] += steps * v_.strides[0][d];
    offset_[1] += steps * v_.strides[1][d];
  }

  const Visit& v_;
  int64_t index_[kMaxVisitRank];
  int64_t offset_[2] = {0, 0};
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_RANDOM_ORDER_H_
