// Moving elements whatever they mean: by size.
//
//   VisitItem(t.itemsize(), [&](auto item) { using U = decltype(item); … });
//
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_COPY_ITEMS_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_COPY_ITEMS_H_

#include <cstdint>
#include <cstring>

#include "switchyard/backends/cpu/simd/instructions.h"
#include "switchyard/core/macros.h"

namespace sy::cpu {

struct Item16 {
  uint64_t low, high;
};

// Calls f with an unsigned value of that many bytes: 1, 2, 4, 8 or 16.
template <class F>
void VisitItem(size_t bytes, F&& f) {
  switch (bytes) {
    case 1:
      return f(uint8_t{});
    case 2:
      return f(uint16_t{});
    case 4:
      return f(uint32_t{});
    case 8:
      return f(uint64_t{});
    default:
      return f(Item16{});
  }
}

// memcpy for a few bytes without a call.
SY_INLINE void CopyFew(char* to, const char* from, size_t n) {
  if (n >= 16) {
    const Bytes16 last = LoadBytes16(from + n - 16);
    for (size_t i = 0; i + 16 < n; i += 16) StoreBytes16(to + i, LoadBytes16(from + i));
    StoreBytes16(to + n - 16, last);
  } else if (n >= 4) {
    const size_t half = n >= 8 ? 8 : 4;
    uint64_t first = 0, last = 0;
    if (half == 8) {
      std::memcpy(&first, from, 8);
      std::memcpy(&last, from + n - 8, 8);
      std::memcpy(to, &first, 8);
      std::memcpy(to + n - 8, &last, 8);
    } else {
      std::memcpy(&first, from, 4);
      std::memcpy(&last, from + n - 4, 4);
      std::memcpy(to, &first, 4);
      std::memcpy(to + n - 4, &last, 4);
    }
  } else {
    for (size_t i = 0; i < n; ++i) to[i] = from[i];
  }
}

// memcpy that bypasses the caches; the caller ends with StreamEnd.
inline void StreamCopy(char* to, const char* from, size_t n) {
  const size_t head = (64 - (reinterpret_cast<uintptr_t>(to) & 63)) & 63;
  if (n < head + 64) {
    std::memcpy(to, from, n);
    return;
  }
  std::memcpy(to, from, head);
  size_t i = head;
  for (; i + 64 <= n; i += 64) {
    const char* f = from + i;
    char* t = to + i;
    const Bytes16 a = LoadBytes16(f), b = LoadBytes16(f + 16), c = LoadBytes16(f + 32),
                  d = LoadBytes16(f + 48);
    StreamBytes16(t, a);
    StreamBytes16(t + 16, b);
    StreamBytes16(t + 32, c);
    StreamBytes16(t + 48, d);
  }
  std::memcpy(to + i, from + i, n - i);
}
inline void StreamEnd() { StreamFence(); }

// memcpy of a row of any length.
inline void CopyRow(char* to, const char* from, int64_t bytes, bool stream) {
  const size_t n = static_cast<size_t>(bytes);
  if (stream) {
    StreamCopy(to, from, n);
  } else if (bytes <= 64) {
    CopyFew(to, from, n);
  } else {
    std::memcpy(to, from, n);
  }
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_COPY_ITEMS_H_
