// Elements in ascending order with the places they came from: what finding different elements
// needs.
//
//   const Sorted s = SortElements(t);   // the order is stable; -0 equals 0; NaN comes last
//   s.index[i];                         // row-major place in t of the i-th smallest element
//   s.first[i];                         // whether it differs from the one before; NaN always does
//
// Owns: its arrays. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_UNIQUE_SORT_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_UNIQUE_SORT_H_

#include <cstdint>
#include <vector>

#include "switchyard/backends/common/dtypes.h"
#include "switchyard/core/tensor.h"

namespace sy::cpu {

struct Sorted {
  std::vector<int64_t> index;
  std::vector<bool> first;
};
// t: contiguous, of kUniqueTypes.
Sorted SortElements(const Tensor& t);

// What unique operators return about groups of equal elements: the group of each element, the
// elements of each group. Empty where not asked for.
struct Groups {
  Tensor inverse, counts;
};
// group: of each element, ascending from 0. inverse_sizes: as many as there are elements.
Groups DescribeGroups(const std::vector<int64_t>& group, int64_t groups, IntSpan inverse_sizes,
                      bool inverse, bool counts);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_UNIQUE_SORT_H_
