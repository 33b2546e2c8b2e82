// flip, roll, repeat, tril, triu and the positions of triangles: elements put elsewhere.

#include "backends/cuda/kernels/arrange.h"

#include <algorithm>

#include "backends/cuda/device/order_args.h"
#include "backends/cuda/kernels/packs.h"
#include "backends/cuda/kernels/rows.h"
#include "backends/cuda/kernels/specialised.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {
namespace {

using Ints = std::vector<int64_t>;

void Flip(Call call, const Tensor& out, const Tensor& self, IntSpan dims) {
  if (out.numel() == 0) return;
  uint64_t reversed = 0;
  for (int64_t d : dims) reversed |= uint64_t{1} << WrapDim(d, self.dim());
  const auto item = static_cast<int64_t>(self.itemsize());
  Ints strides;
  int64_t first = 0;  // of self's elements
  for (size_t d = 0; d < self.sizes().size(); ++d) {
    const bool backwards = (reversed >> d & 1) != 0;
    if (backwards) first += (self.sizes()[d] - 1) * self.strides()[d];
    strides.push_back((backwards ? -self.strides()[d] : self.strides()[d]) * item);
  }
  Walk w(out.sizes());
  w.Add(out);
  w.Add(static_cast<char*>(self.data()) + first * item, item, strides);
  w.Simplify();
  RequireFewDims(call.op(), w);
  const bool wide = !w.is_narrow() || SpannedBytes(self) > INT32_MAX;
  const int each = PackOf(w, {0, 1});
  ArrangeArgs args{};
  FillSpace(w, {.flat = false, .wide = wide, .each = each, .lies = {}}, args.space);
  args.to = w.operands[0].data;
  args.from = w.operands[1].data;
  Launch(call,
         Specialised("arrange", "ArrangeArgs", "Flip")
             .Bits(out.itemsize() * static_cast<size_t>(each))
             .Index(wide),
         BlocksFor(args.space.n), args);
}
const Kernel flip{"flip", "cuda", kAnyDType, Flip};

// --- roll: each dimension that moves is cut in two, and every piece is copied to where it belongs.

struct Moved {
  size_t dim;
  int64_t shift;  // 0 < shift < size
};

int64_t ShiftIn(int64_t shift, int64_t size) { return (shift % size + size) % size; }

void CopyMoved(Call call, const Tensor& out, const Tensor& self, const std::vector<Moved>& moved) {
  for (uint64_t piece = 0; piece < uint64_t{1} << moved.size(); ++piece) {
    Ints sizes(self.sizes().begin(), self.sizes().end());
    int64_t to = out.storage_offset(), from = self.storage_offset();
    for (size_t i = 0; i < moved.size(); ++i) {
      const auto [d, shift] = moved[i];
      const int64_t end = self.sizes()[d] - shift;  // of the positions that go up
      const bool wraps = (piece >> i & 1) != 0;
      sizes[d] = wraps ? shift : end;
      (wraps ? from : to) += wraps ? end * self.strides()[d] : shift * out.strides()[d];
    }
    CopyElements(call, out.AsStrided(sizes, out.strides(), to),
                 self.AsStrided(sizes, self.strides(), from));
  }
}

void Roll(Call call, const Tensor& out, const Tensor& self, IntSpan shifts, IntSpan dims) {
  if (out.numel() == 0) return;
  std::vector<Moved> moved;
  if (dims.empty()) {
    const int64_t shift = ShiftIn(shifts[0], self.numel());
    if (shift != 0) moved.push_back({0, shift});
    return IntoDense(call, out, out.dtype(), [&](const Tensor& to) {
      CopyMoved(call, Flat(to), Flat(Dense(call, self, self.dtype())), moved);
    });
  }
  Ints total(self.sizes().size(), 0);  // a dimension may be named more than once
  for (size_t i = 0; i < dims.size(); ++i) {
    const auto d = static_cast<size_t>(WrapDim(dims[i], self.dim()));
    total[d] = (total[d] + ShiftIn(shifts[i], self.sizes()[d])) % self.sizes()[d];
  }
  for (size_t d = 0; d < total.size(); ++d) {
    if (total[d] != 0) moved.push_back({d, total[d]});
  }
  CopyMoved(call, out, self, moved);
}
const Kernel roll{"roll", "cuda", kAnyDType, Roll};

// --- repeat: every dimension of out is one of repeats, along which self does not move, and self's.

void Repeat(Call call, const Tensor& out, const Tensor& self, IntSpan repeats) {
  if (out.numel() == 0) return;
  const size_t added = repeats.size() - self.sizes().size();
  Ints sizes, to, from;
  const auto add = [&](int64_t size, int64_t to_stride, int64_t from_stride) {
    if (size == 1) return;
    sizes.push_back(size);
    to.push_back(to_stride);
    from.push_back(from_stride);
  };
  for (size_t d = 0; d < repeats.size(); ++d) {
    const int64_t own = d < added ? 1 : self.sizes()[d - added], stride = out.strides()[d];
    add(repeats[d], own * stride, 0);
    add(own, stride, d < added ? 0 : self.strides()[d - added]);
  }
  if (sizes.size() > static_cast<size_t>(kMaxRank)) {
    Fail(ErrorCode::kNotImplemented,
         {call.op(), "(): more than ", kMaxRank, " dimensions and repeats that are not 1"});
  }
  CopyElements(call, out.AsStrided(sizes, to, out.storage_offset()),
               self.AsStrided(sizes, from, self.storage_offset()));
}
const Kernel repeat{"repeat", "cuda", kAnyDType, Repeat};

// --- Triangles

template <bool kUpper>
void Triangle(Call call, const Tensor& out, const Tensor& self, int64_t diagonal) {
  CopyTriangle(call, out, self, kUpper, diagonal);
}
const Kernel tril{"tril", "cuda", kAnyDType, Triangle<false>};
const Kernel triu{"triu", "cuda", kAnyDType, Triangle<true>};

template <bool kUpper>
void Indices(Call call, const Tensor& out, int64_t row, int64_t col, int64_t offset,
             Optional<DType>, Optional<sy::Layout>, Optional<Device>, Optional<bool>) {
  if (out.numel() == 0) return;
  TriangleArgs args{out.sizes()[1], row, col, std::clamp(offset, -row, col), out.data()};
  Launch(
      call,
      Specialised("arrange", "TriangleArgs", "TrianglePositions").Element(out.dtype()).Flag(kUpper),
      BlocksFor(args.n), args);
}
const Kernel tril_indices{"tril_indices", "cuda", kIntegers, Indices<false>};
const Kernel triu_indices{"triu_indices", "cuda", kIntegers, Indices<true>};

}  // namespace

void CopyTriangle(Call call, const Tensor& out, const Tensor& self, bool upper, int64_t diagonal) {
  if (out.numel() == 0) return;
  const size_t rank = self.sizes().size();
  const int64_t rows = self.sizes()[rank - 2], columns = self.sizes()[rank - 1];
  Ints difference(rank, 0);
  difference[rank - 2] = -1;
  difference[rank - 1] = 1;
  Walk w(out.sizes());
  w.Add(out);
  w.Add(self);
  w.Add(nullptr, 1, difference);
  w.Simplify();
  RequireFewDims(call.op(), w);
  const bool wide = !w.is_narrow() || rows > INT32_MAX;
  // Packs lie along columns.
  const int each = w.operands[2].strides[0] == 1 ? PackOf(w, {0, 1}) : 1;
  ArrangeArgs args{};
  FillSpace(w, {.flat = false, .wide = wide, .each = each, .lies = {}}, args.space);
  args.to = out.data();
  args.from = self.data();
  args.diagonal = std::clamp(diagonal, -rows - 1, columns + 1);
  Launch(call,
         Specialised("arrange", "ArrangeArgs", "Triangle")
             .Bits(out.itemsize())
             .Flag(upper)
             .Number(each)
             .Index(wide),
         BlocksFor(args.space.n), args);
}

void RequireFewDims(std::string_view op, const Walk& w) {
  if (w.rank <= kMaxDims) return;
  Fail(ErrorCode::kNotImplemented,
       {op, "(): more than ", kMaxDims, " dimensions that cannot be merged"});
}

}  // namespace sy::cuda
