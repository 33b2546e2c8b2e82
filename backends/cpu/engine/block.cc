#include "switchyard/backends/cpu/engine/block.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace sy::cpu {
namespace {

// Rows of a strided block, one after the other, at dst.
void Pack(const Way& way, const char* p, BlockSize size, char* dst) {
  const Helpers& h = ActiveHelpers();
  const int64_t item = static_cast<int64_t>(way.conversion.from_size());
  const int k = SizeIndex(static_cast<size_t>(item));
  const auto n0 = static_cast<size_t>(size.n0), n1 = static_cast<size_t>(size.n1);
  const int64_t row = size.n0 * item;
  if (way.stride1 == item && way.stride0 != item && way.stride0 != 0 && n1 > 1) {
    return h.transpose[k](dst, row, p, way.stride0, n0, n1);
  }
  for (size_t j = 0; j < n1; ++j, p += way.stride1, dst += row) {
    if (way.stride0 == item) {
      void* q[] = {dst, const_cast<char*>(p)};
      h.copy[k](q, n0, false);
    } else if (way.stride0 == 0) {
      h.fill[k](dst, p, n0, false);
    } else {
      h.gather[k](dst, p, way.stride0, n0);
    }
  }
}

// One value for the whole block.
void Spread(const Way& way, const char* p, int64_t n, OperandBuffer& b) {
  alignas(16) char one[16], two[16];
  const char* value = way.conversion.Run(p, 1, one, two);
  ActiveHelpers().fill[SizeIndex(way.conversion.to_size())](b.result, value, static_cast<size_t>(n),
                                                            false);
}

}  // namespace

Span LoadBlock(const Way& way, const char* p, BlockSize size, bool by_rows, OperandBuffer& b) {
  const Conversion& c = way.conversion;
  const int64_t item = static_cast<int64_t>(c.from_size());
  const int64_t work = static_cast<int64_t>(c.to_size());
  const bool rows_follow = size.n1 == 1 || way.stride1 == size.n0 * item;
  const bool linear = way.stride0 == item && rows_follow;
  if (c.num_steps() == 0 && way.stride0 == item && (rows_follow || by_rows))
    return {const_cast<char*>(p), way.stride1};
  if (b.loaded == p && b.loaded0 == size.n0 && b.loaded1 >= size.n1)
    return {b.result, b.row_stride};
  b.loaded = p;
  b.loaded0 = size.n0;
  b.loaded1 = size.n1;
  b.row_stride = size.n0 * work;
  if (size.n1 > 1 && way.stride1 == 0 && by_rows &&
      size.n0 * work >= kMinSharedRow) {  // one row for all
    b.row_stride = 0;
    size.n1 = 1;
  }
  if (way.stride0 == 0 && (size.n1 == 1 || way.stride1 == 0)) {
    Spread(way, p, size.numel(), b);
    return {b.result, b.row_stride};
  }
  const char* src = p;
  if (!linear && !(size.n1 == 1 && way.stride0 == item)) {
    char* packed = c.ScratchFor(b.result, b.scratch);
    Pack(way, p, size, packed);
    src = packed;
  }
  c.Run(src, static_cast<size_t>(size.numel()), b.result, b.scratch);
  return {b.result, b.row_stride};
}

Span BufferSpan(const Way& way, BlockSize size, OperandBuffer& b) {
  return {b.result, size.n0 * static_cast<int64_t>(way.conversion.from_size())};
}

Span TargetOf(const Way& way, char* p, BlockSize size, bool by_rows, OperandBuffer& b) {
  const Conversion& c = way.conversion;
  const int64_t item = static_cast<int64_t>(c.to_size());
  const bool rows_follow = size.n1 == 1 || way.stride1 == size.n0 * item;
  if (c.num_steps() == 0 && way.stride0 == item && (rows_follow || by_rows))
    return {p, way.stride1};
  return BufferSpan(way, size, b);
}

void StoreBlock(const Way& way, const Span& target, char* p, BlockSize size, bool stream,
                OperandBuffer& b) {
  if (target.data != b.result) return;
  const Conversion& c = way.conversion;
  const int64_t item = static_cast<int64_t>(c.to_size());
  const auto n0 = static_cast<size_t>(size.n0), n = static_cast<size_t>(size.numel());
  const bool linear = way.stride0 == item && (size.n1 == 1 || way.stride1 == size.n0 * item);
  // Conversion alternates between two buffers, of which b.result must not be the first it writes.
  char *end = b.scratch, *other = b.result, *from = b.result;
  if (c.num_steps() % 2 == 0) std::swap(end, other);
  if (c.num_steps() > 0) {
    if (linear && !stream) return c.RunInto(p, from, n, end, other);
    from = const_cast<char*>(c.Run(from, n, end, other));
  }
  if (linear) return CopyContiguous(p, from, size.numel() * item, stream);
  const Helpers& h = ActiveHelpers();
  const int k = SizeIndex(static_cast<size_t>(item));
  for (int64_t j = 0; j < size.n1; ++j, p += way.stride1, from += size.n0 * item) {
    if (way.stride0 == item) {
      CopyContiguous(p, from, size.n0 * item, stream);
    } else {
      h.scatter[k](p, way.stride0, from, n0);
    }
  }
}

void CopyContiguous(char* dst, const char* src, int64_t bytes, bool stream) {
  const Loop copy = ActiveHelpers().copy[0];
  int64_t head = 0;
  if (stream) {
    head = std::min<int64_t>(bytes, -reinterpret_cast<intptr_t>(dst) & 63);
    if (head > 0) {
      void* p[] = {dst, const_cast<char*>(src)};
      copy(p, static_cast<size_t>(head), false);
    }
  }
  void* p[] = {dst + head, const_cast<char*>(src) + head};
  if (bytes > head) copy(p, static_cast<size_t>(bytes - head), stream);
}

}  // namespace sy::cpu
