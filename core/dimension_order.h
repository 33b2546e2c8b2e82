// The order in which a tensor's dimensions lie in memory, as ATen finds it: it decides how results
// lie, and which element a random operator gives which number.
//
//   int order[kMaxRank];   // innermost first
//   OrderDimensions(sizes, 1, [&](int, int d) { return strides[d]; }, order);
//
// Sizes and strides are in elements; strides may be of 0 and of any operand that broadcasts.
// Cost: quadratic in the number of dimensions, which are few.
// Owns: nothing.
// Threads: any.
// Errors: none.
#ifndef SWITCHYARD_CORE_DIMENSION_ORDER_H_
#define SWITCHYARD_CORE_DIMENSION_ORDER_H_

#include <utility>

#include "switchyard/core/shape.h"

namespace sy {

// Fills `order` with the dimensions of `sizes`, the one with the smallest strides first. The first
// operand that tells two dimensions apart decides; strides of 0 say nothing, equal ones leave it to
// the sizes, of which the smaller is inside. What nothing decides stays in row-major order.
// stride_of(k, d): of operand k, of num_operands.
// Source: TensorIteratorBase::reorder_dimensions, ATen/TensorIterator.cpp, and infer_dense_strides,
// ATen/ExpandUtils.cpp: an insertion sort, whose comparison is no order.
template <class StrideOf>
void OrderDimensions(IntSpan sizes, int num_operands, const StrideOf& stride_of, int* order) {
  const auto compare = [&](int x, int y) {  // > 0: y belongs inside x
    for (int k = 0; k < num_operands; ++k) {
      const int64_t a = stride_of(k, x), b = stride_of(k, y);
      if (a == 0 || b == 0) continue;
      if (a != b) return a < b ? -1 : 1;
      if (sizes[x] > sizes[y]) return 1;
    }
    return 0;
  };
  const int n = static_cast<int>(sizes.size());
  for (int i = 0; i < n; ++i) order[i] = n - 1 - i;
  for (int i = 1; i < n; ++i) {
    for (int at = i, j = i - 1; j >= 0; --j) {
      const int c = compare(order[j], order[at]);
      if (c < 0) break;
      if (c > 0) {
        std::swap(order[j], order[at]);
        at = j;
      }
    }
  }
}

}  // namespace sy

#endif  // SWITCHYARD_CORE_DIMENSION_ORDER_H_
