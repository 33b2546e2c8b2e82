#include "backends/cpu/random/order.h"

namespace sy::cpu {
namespace {

struct Operands {
  IntSpan sizes;
  IntSpan strides[2];

  // > 0: dimension y belongs inside x. Strides of 0 say nothing; equal ones leave it to the sizes.
  int Compare(int x, int y) const {
    for (IntSpan s : strides) {
      if (s.empty() || s[x] == 0 || s[y] == 0) continue;
      if (s[x] != s[y]) return s[x] < s[y] ? -1 : 1;
      if (sizes[x] > sizes[y]) return 1;
    }
    return 0;
  }
};

// Whether dimension d, outside of the last one of v, lies like its continuation.
bool Continues(const Visit& v, const Operands& o, int d) {
  const int last = v.rank - 1;
  if (o.sizes[d] == 1 || v.sizes[last] == 1) return true;
  for (int k = 0; k < 2; ++k) {
    if (!o.strides[k].empty() && o.strides[k][d] != v.sizes[last] * v.strides[k][last])
      return false;
  }
  return true;
}

void Append(Visit& v, const Operands& o, int d) {
  const int last = v.rank - 1;
  if (v.rank > 0 && Continues(v, o, d)) {
    for (int k = 0; k < 2 && v.sizes[last] == 1; ++k) {
      v.strides[k][last] = o.strides[k].empty() ? 0 : o.strides[k][d];
    }
    v.sizes[last] *= o.sizes[d];
    return;
  }
  v.sizes[v.rank] = o.sizes[d];
  for (int k = 0; k < 2; ++k) v.strides[k][v.rank] = o.strides[k].empty() ? 0 : o.strides[k][d];
  ++v.rank;
}

}  // namespace

Visit VisitOf(IntSpan sizes, IntSpan first, IntSpan second) {
  const Operands o{sizes, {first, second}};
  const int n = static_cast<int>(sizes.size());
  int order[kMaxVisitRank];  // innermost first
  for (int i = 0; i < n; ++i) order[i] = n - 1 - i;
  for (int i = 1; i < n; ++i) {
    for (int at = i, j = i - 1; j >= 0; --j) {
      const int c = o.Compare(order[j], order[at]);
      if (c < 0) break;
      if (c > 0) {
        std::swap(order[j], order[at]);
        at = j;
      }
    }
  }
  Visit v;
  for (int i = 0; i < n; ++i) Append(v, o, order[i]);
  return v;
}

}  // namespace sy::cpu
