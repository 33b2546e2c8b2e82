#include "backends/cuda/plan/visit_order.h"

#include <algorithm>

#include "switchyard/core/dimension_order.h"

namespace sy::cuda {

std::vector<int> VisitOrder(IntSpan sizes, IntSpan first, IntSpan second) {
  std::vector<int> order(sizes.size());
  const IntSpan strides[] = {first, second};
  OrderDimensions(
      sizes, second.empty() ? 1 : 2, [&](int k, int d) { return strides[k][d]; }, order.data());
  std::ranges::reverse(order);
  return order;
}

}  // namespace sy::cuda
