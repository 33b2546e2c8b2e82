// Fourier transforms over several dimensions, one after the other, a block of lines a thread. What
// lies between two dimensions is of double, so that results are rounded once.
#include <algorithm>
#include <cstring>
#include <vector>

#include "backends/cpu/fourier/fourier.h"
#include "switchyard/backends/common/numbers.h"
#include "switchyard/backends/cpu/engine/conversion.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/lines.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kChunk = 64;       // elements of a line that are moved and converted at once
constexpr int64_t kGrain = 1 << 12;  // elements worth a thread

// Lines of a tensor that are transformed side by side.
struct Block {
  int64_t side, stride, size;  // lines of a full block, what lies between elements; bytes of one
  int64_t count = 0;           // lines
  int64_t first[kRegisterDoubles] = {};  // where they begin

  bool Even() const {
    for (int64_t j = 2; j < count; ++j) {
      if (first[j] - first[j - 1] != first[1] - first[0]) return false;
    }
    return true;
  }
  int64_t Pitch() const { return count > 1 ? first[1] - first[0] : 0; }
};

// f(at, offset, bytes): what lies together both in memory and among `n` elements from the i-th on
// that are side by side.
template <class F>
void ForPieces(const Block& block, int64_t i, int64_t n, F&& f) {
  const bool together = block.Pitch() == 1 && block.Even();
  for (int64_t k = 0; k < n; ++k) {
    const int64_t at = k * block.side * block.size, step = (i + k) * block.stride;
    if (together) {
      f(at, (block.first[0] + step) * block.size, block.count * block.size);
    } else {
      for (int64_t j = 0; j < block.count; ++j)
        f(at + j * block.size, (block.first[j] + step) * block.size, block.size);
    }
  }
}
// Elements i … i + n - 1 of the lines, side by side.
void Take(char* to, const char* data, const Block& block, int64_t i, int64_t n) {
  if (block.stride == 1 && block.Even()) {
    return ActiveHelpers().transpose[SizeIndex(block.size)](
        to, block.side * block.size, data + (block.first[0] + i) * block.size,
        block.Pitch() * block.size, block.count, n);
  }
  ForPieces(block, i, n, [&](int64_t at, int64_t offset, int64_t bytes) {
    std::memcpy(to + at, data + offset, static_cast<size_t>(bytes));
  });
}
void Give(char* data, const char* from, const Block& block, int64_t i, int64_t n) {
  if (block.stride == 1 && block.Even()) {
    return ActiveHelpers().transpose[SizeIndex(block.size)](
        data + (block.first[0] + i) * block.size, block.Pitch() * block.size, from,
        block.side * block.size, n, block.count);
  }
  ForPieces(block, i, n, [&](int64_t at, int64_t offset, int64_t bytes) {
    std::memcpy(data + offset, from + at, static_cast<size_t>(bytes));
  });
}

// Between a tensor's elements and those of double that a transform takes and gives.
class Converted {
 public:
  // room: Room() doubles.
  Converted(Conversion conversion, double* room)
      : conversion_(conversion), room_(reinterpret_cast<char*>(room)) {}
  static constexpr int64_t Room() { return 3 * kMovedDoubles; }
  // All `n` elements.
  void Load(double* x, const Tensor& from, const Block& block, int64_t n) {
    const char* const data = static_cast<const char*>(from.data());
    ForChunks(block, n, [&](int64_t i, int64_t count) {
      char* const to = reinterpret_cast<char*>(x) + i * block.side * conversion_.to_size();
      if (conversion_.num_steps() == 0) return Take(to, data, block, i, count);
      Take(Moved(), data, block, i, count);
      Convert(to, Moved(), count * block.side);
    });
  }
  void Store(const Tensor& to, const double* y, const Block& block, int64_t n) {
    char* const data = static_cast<char*>(to.data());
    ForChunks(block, n, [&](int64_t i, int64_t count) {
      const char* from =
          reinterpret_cast<const char*>(y) + i * block.side * conversion_.from_size();
      if (conversion_.num_steps() > 0) {
        Convert(Moved(), from, count * block.side);
        from = Moved();
      }
      Give(data, from, block, i, count);
    });
  }

 private:
  template <class F>
  static void ForChunks(const Block& block, int64_t n, F&& f) {
    const int64_t chunk = kChunk * kRegisterDoubles / block.side;
    for (int64_t i = 0; i < n; i += chunk) f(i, std::min(chunk, n - i));
  }
  char* Moved() { return room_; }
  void Convert(char* to, const char* from, int64_t n) {
    constexpr int64_t kBytes = kMovedDoubles * sizeof(double);
    conversion_.RunInto(to, from, static_cast<size_t>(n), room_ + kBytes, room_ + 2 * kBytes);
  }
  // A chunk of numbers of at most 16 bytes.
  static constexpr int64_t kMovedDoubles = 2 * kChunk * kRegisterDoubles;

  const Conversion conversion_;
  char* const room_;
};

int64_t Aligned(int64_t doubles) {
  return (doubles + kRegisterDoubles - 1) / kRegisterDoubles * kRegisterDoubles;
}

// Lines of `to` along dim are those of `from`, transformed and scaled; n: elements of the longer.
// Of a forward transform of real numbers `to` may want all n sums.
void ForLines(const Tensor& to, const Tensor& from, int64_t dim, FourierKind kind, int64_t n,
              double scale) {
  if (to.numel() == 0) return;
  const bool from_real = kind == FourierKind::kFromReal, to_real = kind == FourierKind::kToReal;
  const int64_t half = n / 2 + 1, to_size = to.sizes()[dim], from_size = to_real ? half : n;
  const Conversion in(from.dtype(), from_real ? DType::kFloat64 : DType::kComplex128);
  const Conversion out(to_real ? DType::kFloat64 : DType::kComplex128, to.dtype());
  const auto lines = LinesOf<2>(dim, {&to, &from});
  const int64_t number = lines.others.count(), side = FourierFor(kind, n, number).side;
  const int64_t blocks = (number + side - 1) / side;
  ParallelFor(blocks, std::max<int64_t>(1, kGrain / (n * side)), [&](int64_t begin, int64_t end) {
    Fourier& fourier = FourierFor(kind, n, number);
    const int64_t x_room = Aligned((from_real ? n : 2 * from_size) * side);
    const int64_t y_room = Aligned((to_real ? n : 2 * n) * side);
    const Tensor room =
        Tensor::Empty({x_room + y_room + Converted::Room() + fourier.room()}, DType::kFloat64);
    double *const x = room.data<double>(), *const y = x + x_room, *const moved = y + y_room;
    Converted load(in, moved), store(out, moved);
    for (int64_t b = begin; b < end; ++b) {
      const int64_t done = b * side, count = std::min(side, number - done);
      Block target{side, lines.stride[0], static_cast<int64_t>(ItemSize(to.dtype()))};
      Block source{side, lines.stride[1], static_cast<int64_t>(ItemSize(from.dtype()))};
      lines.others.ForEach(done, done + count, [&](const int64_t(&at)[2]) {
        target.first[target.count++] = at[0];
        source.first[source.count++] = at[1];
      });
      if (count < side) std::fill_n(x, x_room + y_room + Converted::Room(), 0.);  // missing lines
      load.Load(x, from, source, from_size);
      fourier.Run(x, y, moved + Converted::Room(), scale);
      for (int64_t k = half; from_real && k < to_size; ++k) {
        for (int64_t j = 0; j < side; ++j) {
          y[2 * (k * side + j)] = y[2 * ((n - k) * side + j)];
          y[2 * (k * side + j) + 1] = -y[2 * ((n - k) * side + j) + 1];
        }
      }
      store.Store(to, y, target, to_size);
    }
  });
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
               FourierKind kind, double scale) {
  for (size_t i = 0; i < dims.size(); ++i) {
    const bool last = i + 1 == dims.size();
    const int64_t d = dims[i];
    ForLines(last ? to : room, i == 0 ? from : room, d, kind, to.sizes()[d], last ? scale : 1);
  }
}

void C2c(Call, const Tensor& out, const Tensor& self, IntSpan dim, int64_t normalization,
         bool forward) {
  if (dim.empty()) return CopyElements(out, self);
  const bool needs_room = dim.size() > 1 && out.dtype() != DType::kComplex128;
  Transform(out, self, needs_room ? RoomLike(out) : out, dim,
            forward ? FourierKind::kForward : FourierKind::kBackward,
            FourierScale(normalization, self, dim));
}

// Along the last dimension first, of whose result half is kept.
void R2c(Call, const Tensor& out, const Tensor& self, IntSpan dim, int64_t normalization,
         bool /*onesided*/) {
  const int64_t last = dim.back();
  const double scale = FourierScale(normalization, self, dim);
  const int64_t n = self.sizes()[last];
  if (dim.size() == 1) return ForLines(out, self, last, FourierKind::kFromReal, n, scale);
  const Tensor room = out.dtype() == DType::kComplex128 ? out : RoomLike(out);
  ForLines(room, self, last, FourierKind::kFromReal, n, 1);
  Transform(out, room, room, dim.first(dim.size() - 1), FourierKind::kForward, scale);
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
    Transform(room, half, room, dim.first(dim.size() - 1), FourierKind::kBackward, 1);
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
