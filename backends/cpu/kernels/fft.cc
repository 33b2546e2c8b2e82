// Fourier transforms over several dimensions, one after the other, a block of lines a thread. What
// lies between two dimensions is of double, so that results are rounded once.
#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <type_traits>
#include <vector>

#include "backends/cpu/kernels/fourier.h"
#include "backends/cpu/kernels/lines.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/parallel.h"
#include "switchyard/core/shape.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace {

using C = std::complex<double>;

constexpr int64_t kLines = 16;            // side by side: a cache line of them, and more
constexpr int64_t kBesideSize = 1 << 16;  // elements of those
constexpr int64_t kAlongSize = 1 << 11;   // elements of lines that lie one after the other
constexpr int64_t kGrain = 1 << 12;       // elements worth a thread

template <class T>
constexpr DTypeMask kLineTypes = std::is_same_v<T, double> ? Mask(DType::kFloat32, DType::kFloat64)
                                                           : kComplexTypes;

// Where lines begin, and what lies between their elements.
struct Block {
  int64_t first[kLines], count, stride;
  // f(line, element, offset), in the order of memory.
  template <class F>
  void ForEach(int64_t size, F&& f) const {
    if (stride == 1) {
      for (int64_t j = 0; j < count; ++j) {
        for (int64_t i = 0; i < size; ++i) f(j, i, first[j] + i);
      }
    } else {
      for (int64_t i = 0; i < size; ++i) {
        for (int64_t j = 0; j < count; ++j) f(j, i, first[j] + i * stride);
      }
    }
  }
};
// x: lines of `size` elements, one after the other.
template <class X>
void Load(const Tensor& from, const Block& block, int64_t size, X* x) {
  VisitDType<kLineTypes<X>>(from.dtype(), [&](auto tag) {
    const auto* const data = from.data<typename decltype(tag)::type>();
    block.ForEach(size, [&](int64_t j, int64_t i, int64_t at) { x[j * size + i] = X(data[at]); });
  });
}
template <class X>
void Store(const Tensor& to, const Block& block, int64_t size, const X* x, double scale) {
  VisitDType<kLineTypes<X>>(to.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    auto* const data = to.data<T>();
    block.ForEach(size,
                  [&](int64_t j, int64_t i, int64_t at) { data[at] = T(scale * x[j * size + i]); });
  });
}

// Lines of `to` along dim are those of `from`, of which the first from_size elements count,
// transformed and scaled. To, From: double or C, as the tensors are real or complex.
//   transform(From* x, To* y, Plan::Room&): a line; x is lost
template <class To, class From, class Plan, class F>
void ForLines(const Tensor& to, const Tensor& from, int64_t dim, int64_t from_size, double scale,
              const Plan& plan, F&& transform) {
  if (to.numel() == 0) return;
  const auto lines = LinesOf<2>(dim, {&to, &from});
  const int64_t to_size = to.sizes()[dim], n = std::max(to_size, from_size);
  const bool along = lines.stride[0] == 1 && lines.stride[1] == 1;
  const int64_t side = std::clamp<int64_t>((along ? kAlongSize : kBesideSize) / n, 1, kLines);
  const int64_t number = lines.others.count(), blocks = (number + side - 1) / side;
  ParallelFor(blocks, std::max<int64_t>(1, kGrain / (n * side)), [&](int64_t begin, int64_t end) {
    typename Plan::Room room = plan.MakeRoom();
    std::vector<From> x(static_cast<size_t>(from_size * side));
    std::vector<To> y(static_cast<size_t>(to_size * side));
    for (int64_t b = begin; b < end; ++b) {
      const int64_t done = b * side, count = std::min(side, number - done);
      Block out{{}, 0, lines.stride[0]}, in{{}, count, lines.stride[1]};
      lines.others.ForEach(done, done + count, [&](const int64_t(&at)[2]) {
        out.first[out.count] = at[0];
        in.first[out.count++] = at[1];
      });
      Load(from, in, from_size, x.data());
      for (int64_t j = 0; j < count; ++j)
        transform(x.data() + j * from_size, y.data() + j * to_size, room);
      Store(to, out, to_size, y.data(), scale);
    }
  });
}

// --- One dimension
void ComplexLines(const Tensor& to, const Tensor& from, int64_t dim, Direction direction,
                  double scale) {
  const int64_t n = to.sizes()[dim];
  const Fourier fourier(n, direction);
  ForLines<C, C>(to, from, dim, n, scale, fourier,
                 [&](C* x, C* y, Fourier::Room& room) { fourier.Run(x, y, room); });
}

void FromRealLines(const Tensor& to, const Tensor& from, int64_t dim, double scale) {
  const int64_t n = from.sizes()[dim], half = n / 2 + 1, size = to.sizes()[dim];
  const RealFourier fourier(n);
  ForLines<C, double>(to, from, dim, n, scale, fourier,
                      [&](double* x, C* y, RealFourier::Room& room) {
                        fourier.Run(x, y, room);
                        for (int64_t k = half; k < size; ++k) y[k] = std::conj(y[n - k]);
                      });
}
// The backward transform of x, whose other half is its conjugate, is real + imaginary part of the
// forward one of the real numbers that are real + imaginary part of x.
// Source: R. N. Bracewell, Discrete Hartley transform, J. Opt. Soc. Am. 73 (1983) 1832.
void ToRealLines(const Tensor& to, const Tensor& from, int64_t dim, double scale) {
  const int64_t n = to.sizes()[dim], half = n / 2 + 1;
  const RealFourier fourier(n);
  ForLines<double, C>(to, from, dim, half, scale, fourier,
                      [&](C* x, double* y, RealFourier::Room& room) {
                        y[0] = x[0].real();
                        for (int64_t k = 1; 2 * k < n; ++k) {
                          y[k] = x[k].real() + x[k].imag();
                          y[n - k] = x[k].real() - x[k].imag();
                        }
                        if (n % 2 == 0) y[n / 2] = x[n / 2].real();
                        fourier.Run(y, x, room);
                        y[0] = x[0].real();
                        for (int64_t k = 1; k < half; ++k) {
                          y[n - k] = x[k].real() - x[k].imag();
                          y[k] = x[k].real() + x[k].imag();
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
// complex128, of the sizes of t and in its order.
Tensor RoomLike(const Tensor& t) {
  std::vector<int64_t> strides(t.sizes().size());
  PreservedStrides(t.sizes(), t.strides(), strides.data());
  return Tensor::EmptyStrided(t.sizes(), strides, DType::kComplex128);
}
// to = from's transform over dims, times scale. room: complex128 of the same sizes, for what lies
// between; may be either of the two.
void Transform(const Tensor& to, const Tensor& from, const Tensor& room, IntSpan dims,
               Direction direction, double scale) {
  for (size_t i = 0; i < dims.size(); ++i) {
    const bool last = i + 1 == dims.size();
    ComplexLines(last ? to : room, i == 0 ? from : room, WrapDim(dims[i], to.dim()), direction,
                 last ? scale : 1);
  }
}

void C2c(Call, const Tensor& out, const Tensor& self, IntSpan dim, int64_t normalization,
         bool forward) {
  if (dim.empty()) return CopyElements(out, self);
  const bool needs_room = dim.size() > 1 && out.dtype() != DType::kComplex128;
  Transform(out, self, needs_room ? RoomLike(out) : out, dim,
            forward ? Direction::kForward : Direction::kBackward,
            ScaleOf(normalization, CountOf(self, dim)));
}

// Along the last dimension first, of whose result half is kept.
void R2c(Call, const Tensor& out, const Tensor& self, IntSpan dim, int64_t normalization,
         bool /*onesided*/) {
  const int64_t last = WrapDim(dim.back(), self.dim());
  const double scale = ScaleOf(normalization, CountOf(self, dim));
  if (dim.size() == 1) return FromRealLines(out, self, last, scale);
  const Tensor room = out.dtype() == DType::kComplex128 ? out : RoomLike(out);
  FromRealLines(room, self, last, 1);
  Transform(out, room, room, dim.first(dim.size() - 1), Direction::kForward, scale);
}

// Along the last dimension at the end, of which half is there.
void C2r(Call, const Tensor& out, const Tensor& self, IntSpan dim, int64_t normalization,
         int64_t last_dim_size) {
  const int64_t last = WrapDim(dim.back(), self.dim());
  std::vector<int64_t> sizes(self.sizes().begin(), self.sizes().end());
  sizes[last] = last_dim_size / 2 + 1;
  Tensor half = self.AsStrided(sizes, self.strides(), self.storage_offset());
  if (dim.size() > 1) {
    const Tensor room = RoomLike(half);
    Transform(room, half, room, dim.first(dim.size() - 1), Direction::kBackward, 1);
    half = room;
  }
  ToRealLines(out, half, last, ScaleOf(normalization, CountOf(out, dim)));
}

const Kernel c2c_kernel{"_fft_c2c", "cpu", kComplexTypes, C2c};
const Kernel r2c_kernel{"_fft_r2c", "cpu", kComplexTypes, R2c};
const Kernel c2r_kernel{"_fft_c2r", "cpu", kComplexTypes, C2r};

}  // namespace
}  // namespace sy::cpu
