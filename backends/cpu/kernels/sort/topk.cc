// topk: the first of each line, in order where that is asked for.
#include <algorithm>

#include "backends/cpu/kernels/sort/select_lines.h"
#include "switchyard/backends/cpu/engine/sort_keys.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

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

const Kernel kernel{"topk", "cpu", kRealTypes, Topk};

}  // namespace
}  // namespace sy::cpu
