// sort, argsort and msort: lines become keys with places, are sorted in a buffer of their own, and
// elements are fetched by place.
#include <algorithm>
#include <memory>

#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/copy_items.h"
#include "switchyard/backends/cpu/engine/lines.h"
#include "switchyard/backends/cpu/engine/sort_keys.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 12;  // elements worth a thread

template <class U>
void Fetch(void* to, int64_t to_stride, const void* from, int64_t from_stride, const auto* entries,
           int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    static_cast<U*>(to)[i * to_stride] =
        static_cast<const U*>(from)[static_cast<int64_t>(entries[i].index) * from_stride];
  }
}

// values, indices: of self's sizes; either may be undefined.
void SortLines(const Tensor& values, const Tensor& indices, const Tensor& self, int64_t dim,
               bool descending) {
  if (self.numel() == 0) return;
  const Tensor& first = values.defined() ? values : indices;
  const Tensor& second = indices.defined() ? indices : values;
  const auto lines = LinesOf<3>(dim, {&self, &first, &second});
  const int64_t n = LineLength(self, dim), item = static_cast<int64_t>(self.itemsize());
  const char* from = static_cast<const char*>(self.data());
  VisitKeys(self.dtype(), n, [&](auto entry) {
    using Entry = decltype(entry);
    const auto load = LoadKeysOf<decltype(entry.key)>(self.dtype());
    ParallelFor(lines.others.count(), std::max<int64_t>(1, kGrain / n),
                [&](int64_t begin, int64_t end) {
                  const std::unique_ptr<Entry[]> room(new Entry[static_cast<size_t>(2 * n)]);
                  Entry* e = room.get();
                  lines.others.ForEach(begin, end, [&](const int64_t(&at)[3]) {
                    const char* line = from + at[0] * item;
                    load(e, line, lines.stride[0], n, descending);
                    SortEntries(e, e + n, n);
                    if (values.defined()) {
                      char* to = static_cast<char*>(values.data()) + at[1] * item;
                      VisitItem(self.itemsize(), [&](auto element) {
                        Fetch<decltype(element)>(to, lines.stride[1], line, lines.stride[0], e, n);
                      });
                    }
                    if (indices.defined()) {
                      int64_t* to = indices.data<int64_t>() + at[2];
                      for (int64_t i = 0; i < n; ++i)
                        to[i * lines.stride[2]] = static_cast<int64_t>(e[i].index);
                    }
                  });
                });
  });
}

// Sorting is stable whether asked to or not.
void Sort(Call, const Tensor& values, const Tensor& indices, const Tensor& self, int64_t dim,
          bool descending) {
  SortLines(values, indices, self, dim, descending);
}
void SortStable(Call, const Tensor& values, const Tensor& indices, const Tensor& self,
                Optional<bool>, int64_t dim, bool descending) {
  SortLines(values, indices, self, dim, descending);
}
void Argsort(Call, const Tensor& out, const Tensor& self, int64_t dim, bool descending) {
  SortLines(Tensor(), out, self, dim, descending);
}
void ArgsortStable(Call, const Tensor& out, const Tensor& self, bool, int64_t dim,
                   bool descending) {
  SortLines(Tensor(), out, self, dim, descending);
}
void Msort(Call, const Tensor& out, const Tensor& self) {
  SortLines(out, Tensor(), self, 0, false);
}

const Kernel sort_kernel{"sort", "cpu", kSortTypes, Sort};
const Kernel sort_stable_kernel{"sort.stable", "cpu", kSortTypes, SortStable};
const Kernel argsort_kernel{"argsort", "cpu", kSortTypes, Argsort};
const Kernel argsort_stable_kernel{"argsort.stable", "cpu", kSortTypes, ArgsortStable};
const Kernel msort_kernel{"msort", "cpu", kSortTypes, Msort};

}  // namespace
}  // namespace sy::cpu
