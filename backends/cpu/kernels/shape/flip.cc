// flip: a copy that reads backwards in the dimensions that are reversed.
#include "switchyard/backends/cpu/engine/copy_items.h"
#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/backends/cpu/engine/outer_loops.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 15;  // elements worth a thread

struct Strides {
  int64_t to, from;  // elements
};

// to[i * row.to + j * line.to] = from[i * row.from + j * line.from] for i below rows, j below n.
template <class U>
void CopyLines(U* to, const U* from, int64_t rows, Strides row, int64_t n, Strides line) {
  const auto forwards = [&](U* t, const U* f) {
    CopyRow(reinterpret_cast<char*>(t), reinterpret_cast<const char*>(f),
            n * static_cast<int64_t>(sizeof(U)), false);
  };
  const auto backwards = [&, reverse = ActiveHelpers().reverse[SizeIndex(sizeof(U))]](
                             U* t, const U* f) { reverse(t, f - (n - 1), static_cast<size_t>(n)); };
  const auto strided = [&](U* t, const U* f) {
    for (int64_t j = 0; j < n; ++j) t[j * line.to] = f[j * line.from];
  };
  // Lines that are too short for a loop of their own: some rows at a time, a position after the
  // other.
  const auto short_lines = [&] {
    constexpr int64_t kRows = 256;
    for (int64_t i = 0; i < rows; i += kRows) {
      const int64_t end = std::min(rows, i + kRows);
      for (int64_t j = 0; j < n; ++j) {
        U* t = to + j * line.to;
        const U* f = from + j * line.from;
        for (int64_t k = i; k < end; ++k) t[k * row.to] = f[k * row.from];
      }
    }
  };
  const auto all = [&](auto copy) {
    for (int64_t i = 0; i < rows; ++i) copy(to + i * row.to, from + i * row.from);
  };
  if (line.to == 1 && line.from == 1) {
    all(forwards);
  } else if (n < 8) {
    short_lines();
  } else if (line.to == 1 && line.from == -1) {
    all(backwards);
  } else {
    all(strided);
  }
}

void Flip(Call, const Tensor& out, const Tensor& self, IntSpan dims) {
  if (out.numel() == 0) return;
  uint64_t reversed = 0;
  for (int64_t d : dims) reversed |= uint64_t{1} << d;
  Outer<2> lines;
  int64_t first = 0;  // element of self that comes first
  for (size_t d = self.sizes().size(); d-- > 0;) {
    const int64_t size = self.sizes()[d], stride = self.strides()[d];
    const bool backwards = (reversed >> d & 1) != 0;
    if (backwards) first += (size - 1) * stride;
    lines.Add(size, {out.strides()[d], backwards ? -stride : stride});
  }
  lines.SortByFirst();
  const auto line = lines.TakeInnermost(), row = lines.TakeInnermost();
  const Strides along{line.strides[0], line.strides[1]}, across{row.strides[0], row.strides[1]};
  VisitItem(out.itemsize(), [&](auto item) {
    using U = decltype(item);
    U* to = static_cast<U*>(out.data());
    const U* from = static_cast<const U*>(self.data()) + first;
    if (lines.count() * row.size == 1) {  // threads share the line
      ParallelFor(line.size, kGrain, [&](int64_t begin, int64_t end) {
        CopyLines(to + begin * along.to, from + begin * along.from, 1, across, end - begin, along);
      });
      return;
    }
    const int64_t grain = std::max<int64_t>(1, kGrain / line.size);
    ParallelFor(lines.count() * row.size, grain, [&](int64_t begin, int64_t end) {
      while (begin < end) {
        const int64_t i = begin % row.size, rows = std::min(end - begin, row.size - i);
        lines.ForEach(begin / row.size, begin / row.size + 1, [&](const int64_t(&at)[2]) {
          CopyLines(to + at[0] + i * across.to, from + at[1] + i * across.from, rows, across,
                    line.size, along);
        });
        begin += rows;
      }
    });
  });
}

const Kernel kernel{"flip", "cpu", kAnyDType, Flip};

}  // namespace
}  // namespace sy::cpu
