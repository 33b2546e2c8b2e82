// Selections along a dimension: lines become keys with places, of which some are asked for; equal
// elements keep the order of their places.
//
//   SelectLines(values, indices, self, dim, descending, OfWhole([=](auto* e, auto*, int64_t n) {
//     BringKth(e, n, k);
//   }));
//
// Owns: nothing. Threads: lines in parallel.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_SORT_SELECT_LINES_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_SORT_SELECT_LINES_H_

#include <algorithm>
#include <memory>
#include <utility>

#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/common/views.h"
#include "switchyard/backends/cpu/engine/copy_items.h"
#include "switchyard/backends/cpu/engine/lines.h"
#include "switchyard/backends/cpu/engine/sort_keys.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/tensor.h"

namespace sy::cpu {

inline constexpr int64_t kSelectGrain = 1 << 12;  // elements worth a thread

// A line whose elements become entries when asked for.
template <class K>
struct Line {
  DType dtype;
  const void* data;
  int64_t stride;
  bool descending;

  void Load(KeyEntry<K>* to, int64_t n) const {
    LoadKeysOf<K>(dtype)(to, data, stride, n, descending);
  }
};

// For each line of self, `pick(line, e, scratch, n)` leaves the entries that are asked for in front
// of e: values and indices take them.
template <class Pick>
void SelectLines(const Tensor& values_out, const Tensor& indices_out, const Tensor& self,
                 int64_t dim, bool descending, Pick pick) {
  const Tensor values = WithDim(values_out, dim, self.dim());
  const Tensor indices = WithDim(indices_out, dim, self.dim());
  if (values.numel() == 0) return;
  const auto lines = LinesOf<3>(dim, {&self, &values, &indices});
  const int64_t n = LineLength(self, dim), count = LineLength(values, dim);
  const int64_t item = static_cast<int64_t>(self.itemsize());
  VisitKeys(self.dtype(), n, [&](auto entry) {
    using Entry = decltype(entry);
    ParallelFor(lines.others.count(), std::max<int64_t>(1, kSelectGrain / n),
                [&](int64_t begin, int64_t end) {
                  const std::unique_ptr<Entry[]> room(new Entry[static_cast<size_t>(2 * n)]);
                  Entry* e = room.get();
                  lines.others.ForEach(begin, end, [&](const int64_t(&at)[3]) {
                    const char* line = static_cast<const char*>(self.data()) + at[0] * item;
                    pick(Line<decltype(entry.key)>{self.dtype(), line, lines.stride[0], descending},
                         e, e + n, n);
                    int64_t* index = indices.data<int64_t>() + at[2];
                    VisitItem(self.itemsize(), [&](auto element) {
                      using U = decltype(element);
                      U* to = static_cast<U*>(values.data()) + at[1];
                      for (int64_t i = 0; i < count; ++i) {
                        const int64_t place = static_cast<int64_t>(e[i].index);
                        to[i * lines.stride[1]] =
                            reinterpret_cast<const U*>(line)[place * lines.stride[0]];
                        index[i * lines.stride[2]] = place;
                      }
                    });
                  });
                });
  });
}

// For `pick(e, scratch, n)` of all entries of a line.
template <class Pick>
auto OfWhole(Pick pick) {
  return [pick](auto line, auto* e, auto* scratch, int64_t n) {
    line.Load(e, n);
    pick(e, scratch, n);
  };
}

// The k-th entry (from 0) comes to the front.
template <class Entry>
void BringKth(Entry* e, int64_t n, int64_t k) {
  std::nth_element(e, e + k, e + n, EntryLess<decltype(e->key)>());
  std::swap(e[0], e[k]);
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_SORT_SELECT_LINES_H_
