// Fourier transforms over several dimensions, one after the other, in the numbers of the tensors: a
// block of lines a thread, or all threads for a long line that is alone.
#include <algorithm>
#include <vector>

#include "backends/cpu/fourier/fourier.h"
#include "switchyard/backends/common/numbers.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/lines.h"
#include "switchyard/backends/cpu/simd/instructions.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 13;   // elements worth a thread
constexpr int64_t kStream = 4 << 20;  // bytes that are written around the cache; measured

// Of a real line's transform, sums beyond the half that is computed: conjugates of the others.
template <class T>
void FillUp(const FourierLines& y, int64_t n) {
  T* const data = static_cast<T*>(y.data);
  for (int64_t l = 0; l < y.count; ++l) {
    T* const line = data + 2 * y.first[l];
    for (int64_t k = n / 2 + 1; k < n; ++k) {
      line[2 * k * y.stride] = line[2 * (n - k) * y.stride];
      line[2 * k * y.stride + 1] = -line[2 * (n - k) * y.stride + 1];
    }
  }
}

// Lines of `to` along dim are those of `from`, transformed and scaled; n: elements of the longer.
// Of a forward transform of real numbers `to` may want all n sums. Both of one precision.
void ForLines(const Tensor& to, const Tensor& from, int64_t dim, FourierKind kind, int64_t n,
              double scale) {
  if (to.numel() == 0) return;
  const bool is_double = RealType(to.dtype()) == DType::kFloat64;
  const auto lines = LinesOf<2>(dim, {&to, &from});
  const int64_t number = lines.others.count();
  const bool beside = number > 1 && (lines.stride[0] != 1 || lines.stride[1] != 1);
  // Of this thread, which the others may use as long as it waits for them.
  const Fourier& fourier = FourierFor({kind, n, number, is_double, beside});
  const int64_t side = fourier.side(), blocks = (number + side - 1) / side;
  const auto run = [&](int64_t begin, int64_t end, const FourierThreads& threads) {
    const Tensor room = Tensor::Empty({fourier.room(threads.number)}, DType::kUInt8);
    FourierLines y{to.data(), lines.stride[0], 0, {}}, x{from.data(), lines.stride[1], 0, {}};
    y.stream = to.numel() * static_cast<int64_t>(ItemSize(to.dtype())) >= kStream;
    for (int64_t b = begin; b < end; ++b) {
      const int64_t done = b * side;
      x.count = y.count = 0;
      lines.others.ForEach(done, std::min(done + side, number), [&](const int64_t(&at)[2]) {
        y.first[y.count++] = at[0];
        x.first[x.count++] = at[1];
      });
      fourier.Run(x, y, room.data(), scale, threads);
      if (kind == FourierKind::kFromReal && to.sizes()[dim] > n / 2 + 1)
        is_double ? FillUp<double>(y, n) : FillUp<float>(y, n);
    }
    if (y.stream) StreamFence();
  };
  if (blocks < NumThreads()) return run(0, blocks, {NumThreads(), sy::internal::RunParallel});
  ParallelFor(blocks, std::max<int64_t>(1, kGrain / (n * side)), [&](int64_t begin, int64_t end) {
    run(begin, end, {1, nullptr});
  });
}

// Of the sizes of t and in its order.
Tensor RoomLike(const Tensor& t) {
  std::vector<int64_t> strides(t.sizes().size());
  PreservedStrides(t.sizes(), t.strides(), strides.data());
  return Tensor::EmptyStrided(t.sizes(), strides, t.dtype());
}
// to = from's transform over dims, times scale. May be the same.
void Transform(const Tensor& to, const Tensor& from, IntSpan dims, FourierKind kind, double scale) {
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t d = dims[i];
    ForLines(to, i == 0 ? from : to, d, kind, to.sizes()[d], i + 1 == dims.size() ? scale : 1);
  }
}

void C2c(Call, const Tensor& out, const Tensor& self, IntSpan dim, int64_t normalization,
         bool forward) {
  if (dim.empty()) return CopyElements(out, self);
  Transform(out, self, dim, forward ? FourierKind::kForward : FourierKind::kBackward,
            FourierScale(normalization, self, dim));
}

// Along the last dimension first, of whose result half is kept.
void R2c(Call, const Tensor& out, const Tensor& self, IntSpan dim, int64_t normalization,
         bool /*onesided*/) {
  const int64_t last = dim.back();
  const double scale = FourierScale(normalization, self, dim);
  ForLines(out, self, last, FourierKind::kFromReal, self.sizes()[last],
           dim.size() == 1 ? scale : 1);
  Transform(out, out, dim.first(dim.size() - 1), FourierKind::kForward, scale);
}

// Along the last dimension at the end, of which half is there.
void C2r(Call, const Tensor& out, const Tensor& self, IntSpan dim, int64_t normalization,
         int64_t last_dim_size) {
  const int64_t last = dim.back();
  std::vector<int64_t> sizes(self.sizes().begin(), self.sizes().end());
  sizes[last] = last_dim_size / 2 + 1;
  Tensor half = self.AsStrided(sizes, self.strides(), self.storage_offset());
  if (dim.size() > 1) {
    const Tensor room = RoomLike(half);
    Transform(room, half, dim.first(dim.size() - 1), FourierKind::kBackward, 1);
    half = room;
  }
  ForLines(out, half, last, FourierKind::kToReal, last_dim_size,
           FourierScale(normalization, out, dim));
}

const Kernel c2c_kernel{"_fft_c2c", "cpu", kComplexTypes, C2c};
const Kernel r2c_kernel{"_fft_r2c", "cpu", kComplexTypes, R2c};
const Kernel c2r_kernel{"_fft_c2r", "cpu", kComplexTypes, C2r};

}  // namespace
}  // namespace sy::cpu
