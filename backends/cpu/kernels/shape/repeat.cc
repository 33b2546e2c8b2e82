// repeat: self is copied once, to the first place of each of its elements; then, from the last
// dimension to the first, what stands there is copied along. Short blocks double until they are
// worth a memcpy.
#include <algorithm>
#include <utility>

#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/copy_items.h"
#include "switchyard/backends/cpu/engine/outer_loops.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kChunkBytes = 1 << 16;  // copied bytes worth a thread
constexpr int64_t kFew = 64;              // bytes that are not worth a call of memcpy

// The block of `bytes` at p, `count` times in a row in all.
void Fill(char* p, int64_t bytes, int64_t count) {
  const int64_t end = bytes * count;
  if (end <= kFew) {
    const auto items = [&](auto item) {
      std::memcpy(&item, p, sizeof item);
      for (int64_t i = 1; i < count; ++i) std::memcpy(p + i * bytes, &item, sizeof item);
    };
    if (bytes == 4) return items(uint32_t{});
    if (bytes == 8) return items(uint64_t{});
    for (int64_t done = bytes; done < end; done += bytes)
      CopyFew(p + done, p, static_cast<size_t>(bytes));
    return;
  }
  int64_t done = bytes;
  while (done < end) {
    // Doubles while the source is still in the nearest cache.
    const int64_t n =
        std::min({done, end - done, std::max(bytes, kChunkBytes / 4 / bytes * bytes)});
    std::memcpy(p + done, p, static_cast<size_t>(n));
    done += n;
  }
}
void FillInParallel(char* p, int64_t bytes, int64_t count) {
  const int64_t head = std::min(count, std::max<int64_t>(1, kChunkBytes / bytes));
  Fill(p, bytes, head);
  const int64_t block = head * bytes, end = count * bytes;  // whole blocks keep the phase
  if (block < 2 * kChunkBytes) {
    ParallelFor((end - 1) / block, 1, [&](int64_t first, int64_t last) {
      for (int64_t i = first + 1; i <= last; ++i)
        std::memcpy(p + i * block, p, static_cast<size_t>(std::min(block, end - i * block)));
    });
    return;
  }
  for (int64_t i = 1; i < count; ++i) {
    ParallelFor((block + 63) / 64, kChunkBytes / 64, [&](int64_t first, int64_t last) {
      std::memcpy(p + i * block + first * 64, p + first * 64,
                  static_cast<size_t>(std::min(block, last * 64) - first * 64));
    });
  }
}

// out: contiguous. self: where elements lie one after the other, if they are not in their first
// places yet; else null.
void RepeatInPlace(const Tensor& out, const int64_t* repeats, const int64_t* own,
                   const char* self) {
  const size_t rank = out.sizes().size();
  int64_t inner = static_cast<int64_t>(out.itemsize());  // bytes of one position
  for (size_t d = rank; d-- > 0;) {
    const int64_t block = own[d] * inner;
    if (repeats[d] > 1) {
      Outer<1> blocks;  // those of the first places
      int64_t step = block * repeats[d];
      for (size_t k = d; k-- > 0;) {
        blocks.Add(own[k], {step});
        step *= own[k] * repeats[k];
      }
      char* p = static_cast<char*>(out.data());
      const int64_t bytes = block * repeats[d];
      if (blocks.count() == 1) {
        FillInParallel(p, block, repeats[d]);
      } else {
        ParallelFor(blocks.count(), std::max<int64_t>(1, kChunkBytes / bytes),
                    [&](int64_t begin, int64_t end) {
                      const char* from = self == nullptr ? nullptr : self + begin * block;
                      blocks.ForEach(begin, end, [&](const int64_t(&at)[1]) {
                        if (from != nullptr) {
                          CopyRow(p + at[0], from, block, false);
                          from += block;
                        }
                        Fill(p + at[0], block, repeats[d]);
                      });
                    });
      }
      self = nullptr;
    }
    inner = block * repeats[d];
  }
}

void Repeat(Call, const Tensor& out, const Tensor& self, IntSpan repeats) {
  if (out.numel() == 0) return;
  const size_t rank = repeats.size(), added = rank - self.sizes().size();
  int64_t own[kMaxRank], times[kMaxRank];  // sizes of self, with ones in front; repeats
  for (size_t d = 0; d < rank; ++d) {
    own[d] = d < added ? 1 : self.sizes()[d - added];
    times[d] = repeats[d];
  }
  // An element a few times in a row: at once, as self's single position expands.
  size_t last = rank;
  while (last > 0 && out.sizes()[last - 1] == 1) --last;
  const bool expands = last > 0 && own[last - 1] == 1 &&
                       times[last - 1] * static_cast<int64_t>(out.itemsize()) <= kFew;
  if (expands) std::swap(own[last - 1], times[last - 1]);
  const Tensor to = out.is_contiguous() ? out : Tensor::Empty(out.sizes(), out.dtype());
  // Whole blocks that are repeated inside others are copied when they are, not in a pass before.
  size_t d = rank;
  while (d > 0 && times[d - 1] == 1) --d;
  int64_t before = 1;
  for (size_t k = 0; k + 1 < d; ++k) before *= own[k];
  const bool blocks = before > 1 && !expands && self.is_contiguous();
  if (!blocks) {
    IndexSpace first(IntSpan(own, rank));
    first.Add(to);  // strides; sizes are self's
    first.Add(self);
    CopyElements(first);
  }
  RepeatInPlace(to, times, own, blocks ? static_cast<const char*>(self.data()) : nullptr);
  if (!to.is_same(out)) CopyElements(out, to);
}

const Kernel kernel{"repeat", "cpu", kAnyDType, Repeat};

}  // namespace
}  // namespace sy::cpu
