// Starts are computed in self's dtype, 16-bit floats rounded after every operation, as ATen does.
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/nn/fractional.h"

namespace sy::cpu {
namespace {

// The first elements of windows along dimension d. T: what samples are of; V: what it computes in.
template <class T, class V>
void SetStarts(const Window& w, int d, V sample, int64_t* starts) {
  const auto round = [](V x) { return static_cast<V>(static_cast<T>(x)); };
  const int64_t free = w.inputs[d] - w.kernel[d], n = w.outputs[d];
  if (n == 0) return;
  const V of_free = round(static_cast<V>(free)), of_rest = round(static_cast<V>(n - 1));
  const V step = n == 1 ? V(0) : round(of_free / of_rest);
  // Samples that are none from 0 to 1 still lead nowhere outside.
  const auto at = [&](V x) {
    const V place = round(x * step);
    return std::abs(place) < V(0x1p60) ? static_cast<int64_t>(place) : int64_t{0};
  };
  for (int64_t i = 0; i + 1 < n; ++i) {
    const V place = round(round(static_cast<V>(i)) + sample);
    starts[i] = std::clamp<int64_t>(at(place) - at(sample), 0, free);
  }
  starts[n - 1] = free;
}

// Of two samples the first is the last dimension's, of three the first dimension's.
template <class T, class V>
void Pool(const Window& w, const T* in, const T* samples, T* out, int64_t* places) {
  const int64_t count = w.output_count();
  ParallelFor(w.planes, std::max<int64_t>(1, (1 << 13) / std::max(count, w.input_count())),
              [&](int64_t begin, int64_t end) {
                std::vector<int64_t> starts[3];
                for (int d = 0; d < 3; ++d) starts[d].resize(static_cast<size_t>(w.outputs[d]));
                for (int64_t plane = begin; plane < end; ++plane) {
                  const T* x = in + plane * w.input_count();
                  for (int d = 0; d < 3; ++d) {
                    const int own = d - (3 - w.dims);
                    const int which = w.dims == 2 ? 1 - own : own;
                    const V sample =
                        own < 0 ? V(0) : static_cast<V>(samples[plane * w.dims + which]);
                    SetStarts<T, V>(w, d, sample, starts[d].data());
                  }
                  int64_t output = plane * count;
                  for (int64_t a : starts[0]) {
                    for (int64_t b : starts[1]) {
                      for (int64_t c : starts[2]) {
                        int64_t best = (a * w.inputs[1] + b) * w.inputs[2] + c;
                        V most = static_cast<V>(x[best]);
                        for (int64_t i = a; i < a + w.kernel[0]; ++i) {
                          for (int64_t j = b; j < b + w.kernel[1]; ++j) {
                            const int64_t row = (i * w.inputs[1] + j) * w.inputs[2];
                            for (int64_t k = row + c; k < row + c + w.kernel[2]; ++k) {
                              const V v = static_cast<V>(x[k]);
                              if (v > most || v != v) {
                                most = v;
                                best = k;
                              }
                            }
                          }
                        }
                        out[output] = x[best];
                        places[output++] = best;
                      }
                    }
                  }
                }
              });
}

template <int kDims>
void FractionalMaxPool(Call call, const Tensor& out, const Tensor& indices, const Tensor& self,
                       IntSpan kernel_size, IntSpan output_size, const Tensor& samples) {
  if (out.numel() == 0) return;
  const Window w = FractionalWindowOf(call.op(), self, kDims, kernel_size, output_size);
  const Tensor in = Contiguous(self), from = Contiguous(samples);
  IntoDense(out, out.dtype(), [&](const Tensor& to) {
    IntoDense(indices, DType::kInt64, [&](const Tensor& places) {
      VisitDType<kFloatingTypes>(out.dtype(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        using V = std::conditional_t<kIsHalf<T>, float, T>;
        Pool<T, V>(w, in.data<T>(), from.data<T>(), to.data<T>(), places.data<int64_t>());
      });
    });
  });
}

const Kernel pool2d{"fractional_max_pool2d", "cpu", kFloatingTypes, FractionalMaxPool<2>};
const Kernel pool3d{"fractional_max_pool3d", "cpu", kFloatingTypes, FractionalMaxPool<3>};

}  // namespace
}  // namespace sy::cpu
