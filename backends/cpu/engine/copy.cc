#include "switchyard/backends/cpu/engine/copy.h"

#include <algorithm>
#include <cstring>

#include "switchyard/backends/cpu/engine/block.h"
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/backends/cpu/simd/instructions.h"
#include "switchyard/core/parallel.h"

namespace sy::cpu {
namespace {

// The loop is the last step of the conversion, what comes before it happens on the way in.
LoopCall CopyCall(DType from, DType to) {
  const Conversion conversion(from, to);
  const int last = conversion.num_steps() - 1;
  LoopCall call;
  call.loop = last < 0 ? ActiveHelpers().copy[SizeIndex(ItemSize(to))] : conversion.step(last);
  call.common[0] = call.in_loop[0] = to;
  call.common[1] = call.in_loop[1] = last < 0 ? from : conversion.step_from(last);
  return call;
}

SY_NOINLINE void CopyAny(const Tensor& out, const Tensor& src) {
  IndexSpace it(out.sizes());
  it.Add(out);
  it.Add(src);
  CopyElements(it);
}

constexpr int64_t kMinTransposed = 4;
// Elements of out's rows at a time: lines of as many rows of src stay in the cache until they are
// used up, which is at once where elements are wide.
constexpr int64_t TransposedRow(size_t item) { return item < 8 ? 256 : 512; }

// Rows that are contiguous on both sides, or of one element, but so short that what a loop costs to
// start would count; neither side lies across the other. The space is coalesced.
constexpr int64_t kShortRow = 64;
bool HasShortRows(const IndexSpace& it) {
  const int64_t *to = it.operands[0].strides, *from = it.operands[1].strides;
  const auto item = static_cast<int64_t>(ItemSize(it.operands[0].dtype));
  if (it.rank < 2 || to[0] != item || (from[0] != item && from[0] != 0) ||
      it.sizes[0] * item > kShortRow || it.sizes[1] < 16) {
    return false;
  }
  for (int d = 2; d < it.rank; ++d) {
    if (to[d] < to[d - 1] || from[d] < from[d - 1]) return false;
  }
  return true;
}
template <class Copy>
void CopyRows(const IndexSpace& it, int64_t rows, Copy copy) {
  const IndexSpace::Operand &to = it.operands[0], &from = it.operands[1];
  const int64_t n = it.sizes[1], grain = kGrain / it.sizes[0];
  ParallelFor(rows, grain, [&](int64_t begin, int64_t end) {
    while (begin < end) {
      const int64_t i = begin % n, count = std::min(end - begin, n - i);
      char* t = to.data + i * to.strides[1];
      const char* f = from.data + i * from.strides[1];
      for (int64_t d = 2, rest = begin / n; d < it.rank; rest /= it.sizes[d++]) {
        t += rest % it.sizes[d] * to.strides[d];
        f += rest % it.sizes[d] * from.strides[d];
      }
      for (int64_t k = 0; k < count; ++k) copy(t + k * to.strides[1], f + k * from.strides[1]);
      begin += count;
    }
  });
}
struct Wide {
  uint64_t low, high;
};
template <class Item>
void RepeatInRows(const IndexSpace& it, int64_t rows) {
  CopyRows(it, rows, [n = it.sizes[0]](char* to, const char* from) {
    Item item;
    std::memcpy(&item, from, sizeof item);
    for (int64_t i = 0; i < n; ++i)
      std::memcpy(to + i * static_cast<int64_t>(sizeof item), &item, sizeof item);
  });
}
void CopyShortRows(const IndexSpace& it) {
  const auto bytes = static_cast<size_t>(it.sizes[0]) * ItemSize(it.operands[0].dtype);
  const int64_t rows = it.numel() / it.sizes[0];
  if (it.operands[1].strides[0] == 0) {
    constexpr void (*kRepeat[])(const IndexSpace&, int64_t) = {
        RepeatInRows<uint8_t>, RepeatInRows<uint16_t>, RepeatInRows<uint32_t>,
        RepeatInRows<uint64_t>, RepeatInRows<Wide>};
    return kRepeat[SizeIndex(ItemSize(it.operands[0].dtype))](it, rows);
  }
  // Two moves, which may overlap, of a size that is known; and a loop of them.
  const auto halves = [&](auto half) {
    CopyRows(it, rows, [bytes](char* to, const char* from) {
      decltype(half) first, last;
      std::memcpy(&first, from, sizeof half);
      std::memcpy(&last, from + bytes - sizeof half, sizeof half);
      std::memcpy(to, &first, sizeof half);
      std::memcpy(to + bytes - sizeof half, &last, sizeof half);
    });
  };
  if (bytes < 4) {
    CopyRows(it, rows, [bytes](char* to, const char* from) {
      for (size_t i = 0; i < bytes; ++i) to[i] = from[i];
    });
  } else if (bytes < 8) {
    halves(uint32_t{});
  } else if (bytes <= 16) {
    halves(uint64_t{});
  } else {
    CopyRows(it, rows, [bytes](char* to, const char* from) { std::memcpy(to, from, bytes); });
  }
}

// A dimension of src in which it is contiguous, where out is so in another: 0 if there is none, or
// where rows are too short for what a tile costs. The space is coalesced.
int TransposedDim(const IndexSpace& it) {
  const IndexSpace::Operand &to = it.operands[0], &from = it.operands[1];
  const auto item = static_cast<int64_t>(ItemSize(to.dtype));
  if (to.strides[0] != item || from.strides[0] == 0 || it.sizes[0] < kMinTransposed) return 0;
  for (int d = 1; d < it.rank; ++d) {
    if (from.strides[d] == item && it.sizes[d] >= kMinTransposed) return d;
  }
  return 0;
}
// Straight from src to out, tile by tile; threads share rows of out.
void CopyTransposed(const IndexSpace& it, int across) {
  const IndexSpace::Operand &to = it.operands[0], &from = it.operands[1];
  const size_t item = ItemSize(to.dtype);
  const auto transpose = ActiveHelpers().transpose[SizeIndex(item)];
  const int64_t band =
      std::max<int64_t>(1, 64 / static_cast<int64_t>(item));  // rows: a line of src
  const int64_t bands = (it.sizes[across] + band - 1) / band;
  const int64_t others = it.numel() / (it.sizes[0] * it.sizes[across]);
  const int64_t grain = std::max<int64_t>(1, kGrain / (it.sizes[0] * band));
  ParallelFor(others * bands, grain, [&](int64_t begin, int64_t end) {
    while (begin < end) {
      const int64_t first = begin % bands * band;
      const int64_t count = std::min(end - begin, bands - begin % bands);
      const int64_t rows = std::min(count * band, it.sizes[across] - first);
      char* t = to.data + first * to.strides[across];
      const char* f = from.data + first * from.strides[across];
      for (int64_t d = 1, rest = begin / bands; d < it.rank; ++d) {
        if (d == across) continue;
        t += rest % it.sizes[d] * to.strides[d];
        f += rest % it.sizes[d] * from.strides[d];
        rest /= it.sizes[d];
      }
      for (int64_t i = 0; i < it.sizes[0]; i += TransposedRow(item)) {
        const int64_t n = std::min(TransposedRow(item), it.sizes[0] - i);
        transpose(t + i * static_cast<int64_t>(item), to.strides[across], f + i * from.strides[0],
                  from.strides[0], static_cast<size_t>(n), static_cast<size_t>(rows));
      }
      begin += count;
    }
  });
}

void FillContiguous(char* data, DType dtype, const char* value, int64_t n) {
  const size_t item = ItemSize(dtype);
  const auto fill = ActiveHelpers().fill[SizeIndex(item)];
  const bool stream =
      n * static_cast<int64_t>(item) > kStreamBytes && reinterpret_cast<uintptr_t>(data) % 64 == 0;
  // Each thread starts at a cache line: so many elements at a time.
  const int64_t line = 64 / static_cast<int64_t>(item);
  ParallelFor((n + line - 1) / line, kGrain / line, [&](int64_t begin, int64_t end) {
    const int64_t first = begin * line, last = end * line < n ? end * line : n;
    fill(data + first * static_cast<int64_t>(item), value, static_cast<size_t>(last - first),
         stream);
    if (stream) StreamFence();
  });
}

}  // namespace

void CopyElements(const Tensor& out, const Tensor& src) {
  const TensorImpl *o = out.impl(), *s = src.impl();
  const int64_t n = o->numel;
  if (((o->key ^ s->key) & (kMaxDTypes - 1)) == 0 && n == s->numel &&
      (o->flags & s->flags & kContiguousFlag) != 0 && n < internal::kSmall) [[likely]] {
    void* const p[] = {o->data(), s->data()};
    return ActiveHelpers().copy[SizeIndex(ItemSize(o->dtype()))](p, static_cast<size_t>(n), false);
  }
  CopyAny(out, src);
}

void CopyElements(IndexSpace& it) {
  if (it.operands[0].dtype == it.operands[1].dtype) {
    if (it.numel() == 0) return;
    it.Coalesce();
    if (HasShortRows(it)) return CopyShortRows(it);
    if (const int across = TransposedDim(it)) return CopyTransposed(it, across);
  }
  RunLoop(CopyCall(it.operands[1].dtype, it.operands[0].dtype), it);
}

void FillElements(const Tensor& out, const Scalar& value) {
  const DType dtype = out.dtype();
  alignas(16) char element[16];
  VisitDType<kAllTypes>(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T x = value.To<T>();
    __builtin_memcpy(element, &x, sizeof x);
  });
  if (out.is_contiguous()) [[likely]]
    return FillContiguous(static_cast<char*>(out.data()), dtype, element, out.numel());
  IndexSpace it(out.sizes());
  it.Add(out);
  it.AddElement(element, dtype);
  if (it.numel() == 0) return;
  for (int d = 0; d < it.rank; ++d) {  // the same element again and again
    if (it.operands[0].strides[d] == 0) it.sizes[d] = 1;
  }
  it.Coalesce();
  const int64_t item = static_cast<int64_t>(ItemSize(dtype));
  if (it.rank == 1 && (it.operands[0].strides[0] == item || it.sizes[0] == 1))
    return FillContiguous(it.operands[0].data, dtype, element, it.sizes[0]);
  RunLoop(CopyCall(dtype, dtype), it);
}

bool HasZero(const Tensor& t, DType dtype) {
  const bool direct = t.dtype() == dtype && t.is_contiguous();
  const Tensor values = direct ? t : Tensor::Empty(t.sizes(), dtype);
  if (!direct) CopyElements(values, t);
  return ActiveHelpers().has_zero[SizeIndex(ItemSize(dtype))](values.data(),
                                                              static_cast<size_t>(t.numel()));
}

}  // namespace sy::cpu
