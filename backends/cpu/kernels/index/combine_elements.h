// Elements that meet in one place: copied over each other, summed, multiplied, the least or the
// greatest kept. What scatter, index_add, index_put and their kin are.
//
//   CombineElements(Combine::kAdd, out, 0, index, source);            // one rounding at the end
//   CombineElements(Combine::kAdd, out, 0, index, source, {.round_each = true});
//
// Elements that go to one place are combined one after the other in the row-major order of the
// index, whatever the number of threads.
// Owns: nothing.
// Threads: any; large calls are split over ParallelFor's.
// Errors: none; positions are in range.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_COMBINE_ELEMENTS_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_COMBINE_ELEMENTS_H_

#include <string_view>

#include "switchyard/backends/common/combine.h"
#include "switchyard/core/scalar.h"
#include "switchyard/core/tensor.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {

struct CombineOptions {
  Scalar alpha = 1;         // of kAdd: source elements are multiplied by it
  bool round_each = false;  // 16-bit floats are rounded after each step, not once at the end
};

// out[.., index[i], ..] is combined with source[.., i, ..] for each element of the index, which
// lies in dimension `dim` (0 or above) of out.
// index: int64 or int32, as many dimensions as out, no size above source's, nor above out's but at
// dim. source: dtype of out.
void CombineElements(Combine how, const Tensor& out, int64_t dim, const Tensor& index,
                     const Tensor& source, const CombineOptions& options = {});

// The same with one number for all elements of the index.
void CombineNumber(Combine how, const Tensor& out, int64_t dim, const Tensor& index,
                   const Scalar& number);

// --- Reductions of elements that meet: "sum", "prod", "mean", "amax", "amin". Without include_self
// what was in a place that anything goes to does not count.
void ReduceElements(std::string_view reduce, const Tensor& out, int64_t dim, const Tensor& index,
                    const Tensor& source, bool include_self, bool round_each);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_COMBINE_ELEMENTS_H_
