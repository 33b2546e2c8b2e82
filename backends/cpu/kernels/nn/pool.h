// Loops over the windows of pooling.
//
//   ForEachWindow(w, adaptive, [&](const Place& p) { … elements p.begin[d] … p.end[d] - 1 … });
//
// Threads: planes in parallel.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_NN_POOL_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_NN_POOL_H_

#include <algorithm>

#include "switchyard/core/parallel.h"
#include "switchyard/ops/nn/window.h"

namespace sy::cpu {

// One window. step: from one element to the next, where the window is spread.
struct Place {
  int64_t plane, output;              // output: position among all outputs
  int64_t begin[3], end[3], step[3];  // within the input
  int64_t extent;                     // elements of the window, those of the padding included
};

// What elements are pooled as: conversions to these types are exact.
constexpr DType PoolType(DType d) {
  return Contains(kHalfTypes, d) ? DType::kFloat32 : Contains(kIntegerTypes, d) ? DType::kInt64 : d;
}

struct Range {
  int64_t begin, end, extent;
};
inline Range RangeOf(const Window& w, bool adaptive, int d, int64_t i) {
  if (adaptive) {
    const int64_t begin = i * w.inputs[d] / w.outputs[d];
    const int64_t end = ((i + 1) * w.inputs[d] + w.outputs[d] - 1) / w.outputs[d];
    return {begin, end, end - begin};
  }
  int64_t begin = i * w.stride[d] - w.padding[d];
  const int64_t end = begin + (w.kernel[d] - 1) * w.dilation[d] + 1;
  const int64_t extent = std::min(end, w.inputs[d] + w.padding[d]) - begin;
  if (begin < 0) begin += (-begin + w.dilation[d] - 1) / w.dilation[d] * w.dilation[d];
  return {std::min(begin, w.inputs[d]), std::min(end, w.inputs[d]), extent};
}

// Calls f(place) for each row of outputs, of which it is the place of any window as to planes and
// rows; place.extent is that of its first two dimensions. Planes in parallel.
template <class F>
void ForEachRow(const Window& w, bool adaptive, F f) {
  const int64_t count = w.output_count();
  if (count == 0) return;
  ParallelFor(w.planes, std::max<int64_t>(1, (1 << 13) / std::max(count, w.input_count())),
              [&](int64_t first, int64_t last) {
                Place p;
                for (int d = 0; d < 3; ++d) p.step[d] = adaptive ? 1 : w.dilation[d];
                const auto set = [&](int d, int64_t i) {
                  const Range r = RangeOf(w, adaptive, d, i);
                  p.begin[d] = r.begin;
                  p.end[d] = r.end;
                  return r.extent;
                };
                for (p.plane = first; p.plane < last; ++p.plane) {
                  p.output = p.plane * count;
                  for (int64_t i = 0; i < w.outputs[0]; ++i) {
                    const int64_t deep = set(0, i);
                    for (int64_t j = 0; j < w.outputs[1]; ++j, p.output += w.outputs[2]) {
                      p.extent = deep * set(1, j);
                      f(static_cast<const Place&>(p));
                    }
                  }
                }
              });
}

template <class F>
void ForEachWindow(const Window& w, bool adaptive, F f) {
  ForEachRow(w, adaptive, [&](const Place& row) {
    Place p = row;
    for (int64_t k = 0; k < w.outputs[2]; ++k, ++p.output) {
      const Range r = RangeOf(w, adaptive, 2, k);
      p.begin[2] = r.begin;
      p.end[2] = r.end;
      p.extent = row.extent * r.extent;
      f(static_cast<const Place&>(p));
    }
  });
}

// Calls f(position in the plane) for the elements of a window.
template <class F>
void ForEachElement(const Window& w, const Place& p, F f) {
  for (int64_t i = p.begin[0]; i < p.end[0]; i += p.step[0]) {
    for (int64_t j = p.begin[1]; j < p.end[1]; j += p.step[1]) {
      const int64_t row = (i * w.inputs[1] + j) * w.inputs[2];
      for (int64_t k = p.begin[2]; k < p.end[2]; k += p.step[2]) f(row + k);
    }
  }
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_NN_POOL_H_
