// Selections along a dimension: topk, kthvalue, median, nanmedian, mode. Lines become keys with
// places; equal elements keep the order of their places.
#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "backends/cpu/kernels/lines.h"
#include "backends/cpu/kernels/move.h"
#include "backends/cpu/kernels/sort_keys.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/parallel.h"
#include "switchyard/core/shape.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 12;  // elements worth a thread
constexpr DTypeMask kSelectTypes = kIntegerTypes | kFloatingTypes;

// t with a dimension of one element at dim, where reducing it took that away.
Tensor WithDim(const Tensor& t, int64_t dim, int64_t rank) {
  if (t.dim() == rank) return t;
  std::vector<int64_t> sizes(t.sizes().begin(), t.sizes().end()),
      strides(t.strides().begin(), t.strides().end());
  sizes.insert(sizes.begin() + dim, 1);
  strides.insert(strides.begin() + dim, 0);
  return t.AsStrided(sizes, strides, t.storage_offset());
}

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
  dim = WrapDim(dim, self.dim());
  const Tensor values = WithDim(values_out, dim, self.dim());
  const Tensor indices = WithDim(indices_out, dim, self.dim());
  if (values.numel() == 0) return;
  const auto lines = LinesOf<3>(dim, {&self, &values, &indices});
  const int64_t n = LineLength(self, dim), count = LineLength(values, dim);
  const int64_t item = static_cast<int64_t>(self.itemsize());
  VisitKeys(self.dtype(), n, [&](auto entry) {
    using Entry = decltype(entry);
    ParallelFor(
        lines.others.count(), std::max<int64_t>(1, kGrain / n), [&](int64_t begin, int64_t end) {
          const std::unique_ptr<Entry[]> room(new Entry[static_cast<size_t>(2 * n)]);
          Entry* e = room.get();
          lines.others.ForEach(begin, end, [&](const int64_t(&at)[3]) {
            const char* line = static_cast<const char*>(self.data()) + at[0] * item;
            pick(Line<decltype(entry.key)>{self.dtype(), line, lines.stride[0], descending}, e,
                 e + n, n);
            int64_t* index = indices.data<int64_t>() + at[2];
            VisitItem(self.itemsize(), [&](auto element) {
              using U = decltype(element);
              U* to = static_cast<U*>(values.data()) + at[1];
              for (int64_t i = 0; i < count; ++i) {
                const int64_t place = static_cast<int64_t>(e[i].index);
                to[i * lines.stride[1]] = reinterpret_cast<const U*>(line)[place * lines.stride[0]];
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

// The first k in order, out of a selection that is sorted whenever it is full: of random elements,
// few come before the k-th so far, and none is compared with more. Entries come by ascending place:
// one whose key equals the k-th's is after it.
template <class K>
void SortFirst(Line<K> line, KeyEntry<K>* selection, KeyEntry<K>* scratch, int64_t n, int64_t k) {
  constexpr int64_t kFew = 512;
  const int64_t full = std::min(n, std::max<int64_t>(64, 4 * k));
  const auto below = LoadKeysBelowOf<K>(line.dtype);
  line.Load(selection, full);
  int64_t count = full;
  for (int64_t first = full; first < n;) {
    if (count >= full) {
      SortEntries(selection, scratch, count);
      count = k;
    }
    const K bound = selection[k - 1].key;
    const int64_t m = std::min({kFew, n - first, n - count});
    count += below(selection + count, line.data, line.stride, first, m, line.descending, bound);
    first += m;
  }
  SortEntries(selection, scratch, count);
}

void Topk(Call, const Tensor& values, const Tensor& indices, const Tensor& self, int64_t k,
          int64_t dim, bool largest, bool sorted) {
  if (self.dim() == 0) k = 1;  // itself, as ATen, also where none is asked for
  SelectLines(values, indices, self, dim, largest,
              [&](auto line, auto* e, auto* scratch, int64_t n) {
                using Less = EntryLess<decltype(e->key)>;
                if (k > 0 && k * 16 <= n) return SortFirst(line, e, scratch, n, k);
                line.Load(e, n);
                if (k == n) return SortEntries(e, scratch, n);
                std::nth_element(e, e + k - 1, e + n, Less());
                if (sorted) std::sort(e, e + k, Less());
              });
}

void Kthvalue(Call, const Tensor& values, const Tensor& indices, const Tensor& self, int64_t k,
              int64_t dim, bool) {
  SelectLines(values, indices, self, dim, false,
              OfWhole([=](auto* e, auto*, int64_t n) { BringKth(e, n, k - 1); }));
}

// NaN is the median where there is one, unless it does not count. Of an even number of elements it
// is the lower one.
template <bool kSkipNaN>
void MedianDim(Call, const Tensor& values, const Tensor& indices, const Tensor& self, int64_t dim,
               bool) {
  const bool has_nan = IsFloating(self.dtype());
  const auto pick = [has_nan](auto* e, auto*, int64_t n) {
    int64_t numbers = n;
    if (has_nan) {
      using K = decltype(e->key);
      const auto* end = std::partition(e, e + n, [](auto& x) { return x.key != kNaNKey<K>; });
      numbers = end - e;
    }
    const bool nan = kSkipNaN ? numbers == 0 : numbers < n;
    if (nan) {
      std::swap(e[0], *std::min_element(e + numbers, e + n, EntryLess<decltype(e->key)>()));
    } else {
      BringKth(e, numbers, (numbers - 1) / 2);
    }
  };
  SelectLines(values, indices, self, dim, false, OfWhole(pick));
}

template <bool kSkipNaN>
void Median(Call call, const Tensor& out, const Tensor& self) {
  if (self.numel() == 0) return FillElements(out, Scalar(std::numeric_limits<double>::quiet_NaN()));
  Tensor flat = Tensor::Empty(self.sizes(), self.dtype());
  CopyElements(flat, self);
  const int64_t n[] = {self.numel()}, one[] = {1};
  MedianDim<kSkipNaN>(call, out, Tensor::Empty(IntSpan(), DType::kInt64), flat.AsStrided(n, one, 0),
                      0, false);
}

// The smallest of the most frequent elements, at its last place; NaN differs from itself.
void Mode(Call, const Tensor& values, const Tensor& indices, const Tensor& self, int64_t dim,
          bool) {
  const bool has_nan = IsFloating(self.dtype());
  const auto pick = [has_nan](auto* e, auto* scratch, int64_t n) {
    using K = decltype(e->key);
    SortEntries(e, scratch, n);
    int64_t most = 0, best = 0;
    for (int64_t i = 0, run = 0; i < n; ++i) {
      ++run;
      const bool same =
          i + 1 < n && e[i + 1].key == e[i].key && !(has_nan && e[i].key == kNaNKey<K>);
      if (same) continue;
      if (run > most) {
        most = run;
        best = i;
      }
      run = 0;
    }
    e[0] = e[best];
  };
  SelectLines(values, indices, self, dim, false, OfWhole(pick));
}

const Kernel topk_kernel{"topk", "cpu", kSelectTypes, Topk};
const Kernel kthvalue_kernel{"kthvalue", "cpu", kSelectTypes, Kthvalue};
const Kernel median_kernel{"median", "cpu", kSelectTypes | Bit(DType::kBool), Median<false>};
const Kernel median_dim_kernel{"median.dim", "cpu", kSelectTypes, MedianDim<false>};
const Kernel nanmedian_kernel{"nanmedian", "cpu", kSelectTypes | Bit(DType::kBool), Median<true>};
const Kernel nanmedian_dim_kernel{"nanmedian.dim", "cpu", kSelectTypes, MedianDim<true>};
const Kernel mode_kernel{"mode", "cpu", kSelectTypes | Bit(DType::kBool), Mode};

}  // namespace
}  // namespace sy::cpu
