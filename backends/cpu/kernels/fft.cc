// Fourier transforms over several dimensions, one after the other, a block of lines a thread. Of
// real numbers as of complex ones.
#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "backends/cpu/kernels/fourier.h"
#include "backends/cpu/kernels/lines.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/parallel.h"
#include "switchyard/core/shape.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kLines = 16;       // side by side: a cache line of them, and more
constexpr int64_t kGrain = 1 << 12;  // elements worth a thread

// Every line of t along dim becomes its transform, times scale.
void TransformLines(const Tensor& t, int64_t dim, bool forward, double scale) {
  const auto lines = LinesOf<1>(dim, {&t});
  const int64_t n = t.sizes()[dim], stride = lines.stride[0], number = lines.others.count();
  const Fourier fourier(n);
  std::complex<double>* const data = t.data<std::complex<double>>();
  // The inverse is the conjugate of the conjugate's transform.
  const double sign = forward ? 1 : -1;
  const int64_t blocks = (number + kLines - 1) / kLines;
  ParallelFor(blocks, std::max<int64_t>(1, kGrain / (n * kLines)), [&](int64_t begin, int64_t end) {
    std::vector<Complex> block(static_cast<size_t>(n * kLines)),
        beside(static_cast<size_t>(fourier.room(kLines)));
    for (int64_t b = begin; b < end; ++b) {
      const int64_t done = b * kLines, count = std::min(kLines, number - done);
      int64_t first[kLines], *next = first;
      lines.others.ForEach(done, done + count, [&](const int64_t(&at)[1]) { *next++ = at[0]; });
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < count; ++j) {
          const std::complex<double> x = data[first[j] + i * stride];
          block[i * count + j] = {x.real(), sign * x.imag()};
        }
      }
      fourier.Run(block.data(), beside.data(), count);
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < count; ++j) {
          const Complex y = block[i * count + j];
          data[first[j] + i * stride] = {scale * y.re, scale * sign * y.im};
        }
      }
    }
  });
}

// What all sums are multiplied by, for `count` elements.
double ScaleOf(int64_t normalization, int64_t count) {
  return normalization == 0   ? 1
         : normalization == 1 ? 1 / std::sqrt(static_cast<double>(count))
                              : 1 / static_cast<double>(count);
}
int64_t CountOf(const Tensor& t, IntSpan dims) {
  int64_t count = 1;
  for (const int64_t d : dims) count *= t.size(d);
  return count;
}
// t, of complex128, becomes its transform over dims, times scale.
void Transform(const Tensor& t, IntSpan dims, bool forward, double scale) {
  if (t.numel() == 0) return;
  for (size_t i = 0; i < dims.size(); ++i)
    TransformLines(t, WrapDim(dims[i], t.dim()), forward, i == 0 ? scale : 1);
}
// In double, so that results are rounded once.
Tensor RoomLike(const Tensor& t) {
  std::vector<int64_t> strides(t.sizes().size());
  PreservedStrides(t.sizes(), t.strides(), strides.data());
  return Tensor::EmptyStrided(t.sizes(), strides, DType::kComplex128);
}
// The first n elements along dim.
Tensor Narrow(const Tensor& t, int64_t dim, int64_t n) {
  std::vector<int64_t> sizes(t.sizes().begin(), t.sizes().end());
  sizes[dim] = n;
  return t.AsStrided(sizes, t.strides(), t.storage_offset());
}

void C2c(Call, const Tensor& out, const Tensor& self, IntSpan dim, int64_t normalization,
         bool forward) {
  const Tensor t = RoomLike(out);
  CopyElements(t, self);
  Transform(t, dim, forward, ScaleOf(normalization, CountOf(self, dim)));
  CopyElements(out, t);
}

// Along the last dimension first, of whose result half is kept.
void R2c(Call, const Tensor& out, const Tensor& self, IntSpan dim, int64_t normalization,
         bool /*onesided*/) {
  const Tensor t = RoomLike(self);
  CopyElements(t, self);
  const int64_t last = WrapDim(dim.back(), self.dim());
  Transform(t, dim.last(1), true, ScaleOf(normalization, CountOf(self, dim)));
  const Tensor half = Narrow(t, last, out.sizes()[last]);
  Transform(half, dim.first(dim.size() - 1), true, 1);
  CopyElements(out, half);
}

// Along the last dimension at the end, once what was left out is there again.
void C2r(Call, const Tensor& out, const Tensor& self, IntSpan dim, int64_t normalization,
         int64_t last_dim_size) {
  const int64_t last = WrapDim(dim.back(), self.dim()), half = last_dim_size / 2 + 1;
  const Tensor all = RoomLike(out), given = Narrow(all, last, half);
  CopyElements(given, Narrow(self, last, half));
  Transform(given, dim.first(dim.size() - 1), false, 1);
  auto* const data = all.data<std::complex<double>>();
  const auto lines = LinesOf<1>(last, {&all});
  const int64_t stride = lines.stride[0];
  lines.others.ForEach(0, lines.others.count(), [&](const int64_t(&at)[1]) {
    for (int64_t i = half; i < last_dim_size; ++i)
      data[at[0] + i * stride] = std::conj(data[at[0] + (last_dim_size - i) * stride]);
  });
  Transform(all, dim.last(1), false, ScaleOf(normalization, CountOf(out, dim)));
  CopyElements(out, all);  // the real parts
}

const Kernel c2c_kernel{"_fft_c2c", "cpu", kComplexTypes, C2c};
const Kernel r2c_kernel{"_fft_r2c", "cpu", kComplexTypes, R2c};
const Kernel c2r_kernel{"_fft_c2r", "cpu", kComplexTypes, C2r};

}  // namespace
}  // namespace sy::cpu
