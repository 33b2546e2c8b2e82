// Where a mask is true: counted in blocks, so that threads know where each block's part of a list
// of these elements begins.
//
//   const TrueElements elements(mask, sizes);
//   elements.count();
//   elements.ForEachBlock([&](const TrueElements::Block& b) {
//     elements.ForEach(b, [&](int64_t i, int64_t k) { to[k] = from[i]; });
//   });
//
// Owns: a copy of the mask where it is not bool, not contiguous, or expanded.
// Threads: blocks in parallel, elements of a block in order.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_TRUE_ELEMENTS_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_TRUE_ELEMENTS_H_

#include <algorithm>
#include <cstring>
#include <vector>

#include "switchyard/core/parallel.h"
#include "switchyard/core/tensor.h"

namespace sy::cpu {

// Where elements are not 0, in row-major order: [t.dim(), n] of int64, row d positions in dim d,
// contiguous.
Tensor NonzeroPositions(const Tensor& t);

// t expanded to `sizes`, in row-major order, in which true elements are numbered: t itself where it
// is that.
Tensor RowMajor(const Tensor& t, IntSpan sizes);

class TrueElements {
 public:
  struct Block {
    int64_t begin, end;   // elements
    int64_t first, last;  // numbers of true ones: before, and with those of the block
  };

  // mask: of any dtype, what is not 0 is true; its sizes expand to `sizes`.
  TrueElements(const Tensor& mask, IntSpan sizes);

  int64_t count() const { return before_.back(); }

  template <class F>
  void ForEachBlock(F f) const {
    ParallelFor(static_cast<int64_t>(before_.size()) - 1, 1, [&](int64_t b, int64_t e) {
      for (int64_t i = b; i < e; ++i) f(BlockAt(i));
    });
  }
  // f(element, its number k among the true ones). False elements are called for too, before the one
  // whose number they are given, so that f may write what is for k but not count: without
  // branches, which random masks make expensive. Returns the number after the last.
  template <class F>
  int64_t ForEach(const Block& b, F f) const {
    int64_t k = b.first, i = b.begin;
    for (; i + 8 <= b.end && k + 8 <= b.last; i += 8) {
      if (WordAt(i) == 0) continue;
      for (int64_t j = 0; j < 8; ++j) {
        f(i + j, k);
        k += bytes_[i + j] != 0;
      }
    }
    for (; i < b.end && k < b.last; ++i) {
      f(i, k);
      k += bytes_[i] != 0;
    }
    return k;
  }

  bool IsTrue(int64_t i) const { return bytes_[i] != 0; }

 private:
  Block BlockAt(int64_t i) const {
    const auto k = static_cast<size_t>(i);
    return {i * kBlock, std::min(n_, (i + 1) * kBlock), before_[k], before_[k + 1]};
  }

  uint64_t WordAt(int64_t i) const {
    uint64_t word;
    std::memcpy(&word, bytes_ + i, 8);
    return word;
  }

  static constexpr int64_t kBlock = 1 << 14;

  Tensor mask_;  // bool, contiguous
  const uint8_t* bytes_;
  int64_t n_;
  std::vector<int64_t> before_;  // true elements before each block, and in all
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_TRUE_ELEMENTS_H_
