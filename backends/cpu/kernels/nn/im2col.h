// Windows of images as columns of a matrix: what im2col gives, and what convolutions multiply.
//
//   ToColumns(w, channels, image, columns);
//
// Threads: channels in parallel.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_NN_IM2COL_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_NN_IM2COL_H_

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "switchyard/core/parallel.h"
#include "switchyard/ops/nn/window.h"

namespace sy::cpu {

// The outputs i with 0 <= i stride + offset < size.
struct Inside {
  int64_t begin, end;
  Inside(int64_t size, int64_t stride, int64_t offset, int64_t outputs)
      : begin(offset >= 0 ? 0 : std::min(outputs, (-offset - 1) / stride + 1)),
        end(size <= offset ? begin : std::clamp((size - offset - 1) / stride + 1, begin, outputs)) {
  }
};

// Calls g(first, row, a, b) for runs of columns of one tap: columns first + a … first + b - 1 show
// the image at row + k stride, k = a … b - 1; those around them, outputs[2] in all, lie in padding.
template <class G>
void ForEachRun(const Window& w, int64_t tap, G g) {
  const int64_t tk = tap % w.kernel[2], tj = tap / w.kernel[2] % w.kernel[1],
                ti = tap / w.kernel[2] / w.kernel[1];
  const auto offset = [&](int d, int64_t t) { return t * w.dilation[d] - w.padding[d]; };
  const Inside across(w.inputs[2], w.stride[2], offset(2, tk), w.outputs[2]);
  for (int64_t i = 0; i < w.outputs[0]; ++i) {
    const int64_t at_i = i * w.stride[0] + offset(0, ti);
    for (int64_t j = 0; j < w.outputs[1]; ++j) {
      const int64_t at_j = j * w.stride[1] + offset(1, tj);
      const bool inside = at_i >= 0 && at_i < w.inputs[0] && at_j >= 0 && at_j < w.inputs[1];
      const int64_t first = (i * w.outputs[1] + j) * w.outputs[2];
      const int64_t row = inside ? (at_i * w.inputs[1] + at_j) * w.inputs[2] + offset(2, tk) : 0;
      g(first, row, inside ? across.begin : 0, inside ? across.end : 0);
    }
  }
}

// image: [channels, inputs], columns: [channels, kernel, outputs], of elements U.
template <class U>
void ToColumns(const Window& w, int64_t channels, const U* image, U* columns) {
  const int64_t taps = w.kernel[0] * w.kernel[1] * w.kernel[2], outputs = w.output_count();
  ParallelFor(channels * taps, std::max<int64_t>(1, (1 << 14) / outputs),
              [&](int64_t begin, int64_t end) {
                for (int64_t r = begin; r < end; ++r) {
                  const U* x = image + r / taps * w.input_count();
                  U* to = columns + r * outputs;
                  ForEachRun(w, r % taps, [&](int64_t first, int64_t row, int64_t a, int64_t b) {
                    U* run = to + first;
                    std::memset(static_cast<void*>(run), 0, static_cast<size_t>(a) * sizeof(U));
                    if (w.stride[2] == 1 && b > a) {
                      std::memcpy(static_cast<void*>(run + a), x + row + a,
                                  static_cast<size_t>(b - a) * sizeof(U));
                    } else {
                      for (int64_t k = a; k < b; ++k) run[k] = x[row + k * w.stride[2]];
                    }
                    std::memset(static_cast<void*>(run + b), 0,
                                static_cast<size_t>(w.outputs[2] - b) * sizeof(U));
                  });
                }
              });
}

// The sums of columns that come from one place: image += columns.
template <class T>
void FromColumns(const Window& w, int64_t channels, const T* columns, T* image) {
  const int64_t taps = w.kernel[0] * w.kernel[1] * w.kernel[2], outputs = w.output_count();
  ParallelFor(channels, std::max<int64_t>(1, (1 << 14) / (outputs * taps)),
              [&](int64_t begin, int64_t end) {
                for (int64_t r = begin * taps; r < end * taps; ++r) {
                  T* x = image + r / taps * w.input_count();
                  const T* from = columns + r * outputs;
                  ForEachRun(w, r % taps, [&](int64_t first, int64_t row, int64_t a, int64_t b) {
                    const T* run = from + first;
                    for (int64_t k = a; k < b; ++k) {
                      T& place = x[row + k * w.stride[2]];
                      if constexpr (std::is_integral_v<T>) {  // wraps around
                        place = static_cast<T>(static_cast<uint64_t>(place) +
                                               static_cast<uint64_t>(run[k]));
                      } else if constexpr (sizeof(T) == 2) {  // rounds each time
                        place = T(static_cast<float>(place) + static_cast<float>(run[k]));
                      } else {
                        place += run[k];
                      }
                    }
                  });
                }
              });
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_NN_IM2COL_H_
