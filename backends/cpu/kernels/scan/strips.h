// Neighbouring lines along the dimension of a scan, some at a time.
//
//   ForEachStrip<2>(dim, {&out, &self}, [&](const Strip<2>& s) {
//     … s.width lines of s.n elements …
//   });
//
// Owns: nothing. Threads: strips in parallel, the elements of a line in order.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_SCAN_STRIPS_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_SCAN_STRIPS_H_

#include <algorithm>
#include <array>

#include "switchyard/backends/cpu/engine/lines.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/tensor.h"

namespace sy::cpu {

inline constexpr int64_t kScanGrain = 1 << 14;  // elements worth a thread
// Lines scanned beside each other: their states stay in L1, and rows are long enough for what a
// page costs.
inline constexpr int64_t kWidth = 512, kMinWidth = 64;
// Lines along memory that are scanned at the same time: a step waits for the one before it.
inline constexpr int64_t kRows = 2;

// How `width` neighbouring lines of n elements lie. Passed by value: elements that are written are
// not seen to leave it alone when they are integers of its size.
template <int kOperands>
struct Strip {
  std::array<int64_t, kOperands> at, along, beside;  // in elements
  int64_t n, width;
  bool rows;  // lines follow memory, and there are kRows of them at most
};

// Lines along the innermost dimension a few at a time, others side by side, so that memory is
// walked over in order.
template <int kOperands, class F>
void ForEachStrip(int64_t dim, const std::array<const Tensor*, kOperands>& tensors, F f) {
  const Tensor& out = *tensors[0];
  if (out.numel() == 0) return;
  const int64_t n = LineLength(out, dim);
  auto lines = LinesOf<kOperands>(dim, tensors);
  const bool rows = lines.others.rank() == 0 || lines.others[0].strides[0] >= lines.stride[0];
  const auto inner = lines.others.TakeInnermost();
  // Narrower where there would be fewer strips than threads.
  const int64_t threads = NumThreads(), share = (inner.size + threads - 1) / threads;
  const int64_t width = rows                              ? kRows
                        : lines.others.count() >= threads ? kWidth
                                                          : std::clamp(share, kMinWidth, kWidth);
  const int64_t strips = (inner.size + width - 1) / width;
  const int64_t grain = std::max<int64_t>(1, kScanGrain / (n * std::min(width, inner.size)));
  ParallelFor(lines.others.count() * strips, grain, [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end;) {
      // The strips of one coordinate of the others, as far as they are ours.
      const int64_t other = task / strips, last = std::min(end, (other + 1) * strips);
      lines.others.ForEach(other, other + 1, [&](const int64_t(&at)[kOperands]) {
        for (; task < last; ++task) {
          const int64_t first = task % strips * width;
          Strip<kOperands> s{
              {}, lines.stride, inner.strides, n, std::min(width, inner.size - first), rows};
          for (int k = 0; k < kOperands; ++k) s.at[k] = at[k] + first * inner.strides[k];
          f(s);
        }
      });
    }
  });
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_SCAN_STRIPS_H_
