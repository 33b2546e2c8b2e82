// tril and triu: in each row a range is self's, the rest is zero, which is zero bits in every
// dtype.
#include <algorithm>

#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/copy_items.h"
#include "switchyard/backends/cpu/engine/outer_loops.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 15;  // elements worth a thread

// Columns begin … end - 1 of a row of out become zero.
template <class U>
void Clear(U* row, int64_t step, int64_t begin, int64_t end) {
  constexpr int64_t kShort = 16;  // elements that are not worth a call
  if (step == 1 && end - begin >= kShort) {
    std::memset(static_cast<void*>(row + begin), 0, static_cast<size_t>(end - begin) * sizeof(U));
    return;
  }
  for (int64_t j = begin; j < end; ++j) row[j * step] = U{};
}

template <bool kUpper>
void Triangle(Call, const Tensor& out, const Tensor& self, int64_t diagonal) {
  if (out.numel() == 0) return;
  const size_t rank = self.sizes().size();
  const int64_t rows = self.sizes()[rank - 2], columns = self.sizes()[rank - 1];
  const int64_t step = out.strides()[rank - 1];
  diagonal = std::clamp(diagonal, -rows - 1, columns + 1);
  const bool in_place = out.data() == self.data();
  const bool by_rows = !in_place && step == 1 && self.strides()[rank - 1] == 1;
  if (!in_place && !by_rows) CopyElements(out, self);
  Outer<2> all;  // rows, in order
  for (size_t d = rank - 1; d-- > 0;)
    all.Add(self.sizes()[d], {out.strides()[d], self.strides()[d]});
  VisitItem(out.itemsize(), [&](auto item) {
    using U = decltype(item);
    U* to = static_cast<U*>(out.data());
    const U* from = static_cast<const U*>(self.data());
    ParallelFor(all.count(), std::max<int64_t>(1, kGrain / columns), [&](int64_t b, int64_t e) {
      int64_t i = b % rows;
      all.ForEach(b, e, [&](const int64_t(&at)[2]) {
        const int64_t edge = std::clamp<int64_t>(i + diagonal + (kUpper ? 0 : 1), 0, columns);
        const int64_t begin = kUpper ? edge : 0, end = kUpper ? columns : edge;  // self's
        U* row = to + at[0];
        if (by_rows) {
          CopyRow(reinterpret_cast<char*>(row + begin),
                  reinterpret_cast<const char*>(from + at[1] + begin),
                  (end - begin) * static_cast<int64_t>(sizeof(U)), false);
        }
        Clear(row, step, 0, begin);
        Clear(row, step, end, columns);
        if (++i == rows) i = 0;
      });
    });
  });
}

const Kernel tril_kernel{"tril", "cpu", kAnyDType, Triangle<false>};
const Kernel triu_kernel{"triu", "cpu", kAnyDType, Triangle<true>};

}  // namespace
}  // namespace sy::cpu
