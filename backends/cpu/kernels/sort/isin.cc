// The tested elements are sorted once, as keys; each element is looked up among them.
#include <algorithm>
#include <vector>

#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/sort_keys.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kPart = 1 << 10;  // elements looked up at a time

// Without branches, which nobody could predict.
template <class K>
bool Has(const std::vector<K>& keys, K key) {
  const K* first = keys.data();
  int64_t n = static_cast<int64_t>(keys.size());
  if (n == 0) return false;
  for (; n > 1; n -= n / 2) first += static_cast<int64_t>(first[n / 2 - 1] < key) * (n / 2);
  first += static_cast<int64_t>(n == 1 && *first < key && first + 1 < keys.data() + keys.size());
  return *first == key;
}

Tensor Prepared(const Tensor& t, DType dtype) {
  if (t.dtype() == dtype && t.is_contiguous()) return t;
  Tensor copy = Tensor::Empty(t.sizes(), dtype);
  CopyElements(copy, t);
  return copy;
}

void Isin(Call call, const Tensor& out, const Tensor& elements, const Tensor& test_elements, bool,
          bool invert) {
  if (out.numel() == 0) return;
  const Tensor x = Prepared(elements, call.dtype()), among = Prepared(test_elements, call.dtype());
  const Tensor to = out.is_contiguous() ? out : Tensor::Empty(out.sizes(), DType::kBool);
  const bool has_nan = IsFloating(call.dtype());
  const int64_t n = x.numel(), m = among.numel();
  const auto item = static_cast<int64_t>(x.itemsize());
  VisitKeys(call.dtype(), m, [&](auto entry) {
    using Entry = decltype(entry);
    using K = decltype(entry.key);
    const auto load = LoadKeysOf<K>(call.dtype());
    std::vector<Entry> tests(static_cast<size_t>(m)), scratch(static_cast<size_t>(m));
    load(tests.data(), among.data(), 1, m, false);
    SortEntries(tests.data(), scratch.data(), m);
    std::vector<K> keys;
    for (const Entry& e : tests) {
      const bool nan = has_nan && e.key == kNaNKey<K>;
      if (!nan && (keys.empty() || keys.back() != e.key)) keys.push_back(e.key);
    }
    ParallelFor((n + kPart - 1) / kPart, 8, [&](int64_t begin, int64_t end) {
      std::vector<Entry> part(static_cast<size_t>(kPart));
      for (int64_t p = begin; p < end; ++p) {
        const int64_t first = p * kPart, count = std::min(kPart, n - first);
        load(part.data(), static_cast<const char*>(x.data()) + first * item, 1, count, false);
        for (int64_t i = 0; i < count; ++i) {
          const K key = part[static_cast<size_t>(i)].key;
          to.data<bool>()[first + i] = Has(keys, key) != invert;
        }
      }
    });
  });
  if (!to.is_same(out)) CopyElements(out, to);
}

const Kernel kernel{"isin.Tensor_Tensor", "cpu", kSortTypes, Isin};

}  // namespace
}  // namespace sy::cpu
