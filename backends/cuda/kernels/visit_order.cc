#include "backends/cuda/kernels/visit_order.h"

#include <algorithm>

namespace sy::cuda {
namespace {

// > 0: dimension y belongs inside x.
int Compare(IntSpan sizes, IntSpan first, IntSpan second, size_t x, size_t y) {
  for (IntSpan s : {first, second}) {
    if (s.empty() || s[x] == 0 || s[y] == 0) continue;
    if (s[x] != s[y]) return s[x] < s[y] ? -1 : 1;
    if (sizes[x] > sizes[y]) return 1;
  }
  return 0;
}

}  // namespace

std::vector<int> VisitOrder(IntSpan sizes, IntSpan first, IntSpan second) {
  std::vector<int> order;  // innermost first
  for (size_t i = sizes.size(); i > 0; --i) {
    order.push_back(static_cast<int>(i) - 1);
    for (size_t at = order.size() - 1, j = at; j > 0; --j) {
      const int c = Compare(sizes, first, second, static_cast<size_t>(order[j - 1]),
                            static_cast<size_t>(order[at]));
      if (c < 0) break;
      if (c > 0) {
        std::swap(order[j - 1], order[at]);
        at = j - 1;
      }
    }
  }
  std::ranges::reverse(order);
  return order;
}

Tensor Permuted(const Tensor& t, const std::vector<int>& order) {
  std::vector<int64_t> sizes, strides;
  for (int d : order) {
    sizes.push_back(t.sizes()[static_cast<size_t>(d)]);
    strides.push_back(t.strides()[static_cast<size_t>(d)]);
  }
  return t.AsStrided(sizes, strides, t.storage_offset());
}

Tensor Expanded(const Tensor& t, IntSpan sizes) {
  std::vector<int64_t> strides(sizes.size(), 0);
  const size_t skipped = sizes.size() - t.sizes().size();
  for (size_t d = 0; d < t.sizes().size(); ++d) {
    if (t.sizes()[d] != 1) strides[skipped + d] = t.strides()[d];
  }
  return t.AsStrided(sizes, strides, t.storage_offset());
}

}  // namespace sy::cuda
