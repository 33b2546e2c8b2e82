#include "backends/cpu/random/order.h"

#include "switchyard/core/dimension_order.h"

namespace sy::cpu {
namespace {

struct Operands {
  IntSpan sizes;
  IntSpan strides[2];
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
  OrderDimensions(
      sizes, second.empty() ? 1 : 2, [&](int k, int d) { return o.strides[k][d]; }, order);
  Visit v;
  for (int i = 0; i < n; ++i) Append(v, o, order[i]);
  return v;
}

}  // namespace sy::cpu
