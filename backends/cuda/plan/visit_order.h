// The order in which random operators visit elements, which decides who gets which number: the
// host's, which is ATen's. The dimension with the smallest stride is innermost, so that a dense
// tensor is filled in the order of memory, whatever its dimensions' order.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_PLAN_VISIT_ORDER_H_
#define SWITCHYARD_BACKENDS_CUDA_PLAN_VISIT_ORDER_H_

#include <vector>

#include "switchyard/backends/common/views.h"
#include "switchyard/core/tensor.h"

namespace sy::cuda {

// Dimensions, outermost first. Strides of 0 say nothing; where the first operand's leave the order
// open, the second's decide. second: as many as sizes, or empty.
// Source: TensorIteratorBase::reorder_dimensions, ATen/TensorIterator.cpp.
std::vector<int> VisitOrder(IntSpan sizes, IntSpan first, IntSpan second = {});

// The view of t whose elements come in the order of the visit.
inline Tensor InVisitOrder(const Tensor& t) {
  return Permuted(t, VisitOrder(t.sizes(), t.strides()));
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_PLAN_VISIT_ORDER_H_
