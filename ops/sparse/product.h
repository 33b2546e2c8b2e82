// What is asked of two matrices before they are multiplied, on every device.
//
//   RequireProduct(call.op(), sparse, dense);
//
// Owns: nothing.
// Threads: any.
// Errors: kInvalidArgument for ranks, inner dimensions and dtypes that do not fit; kNotImplemented
// for bool and for sparse matrices whose rows are dense.
#ifndef SWITCHYARD_OPS_SPARSE_PRODUCT_H_
#define SWITCHYARD_OPS_SPARSE_PRODUCT_H_

#include <string_view>

#include "switchyard/core/error.h"
#include "switchyard/core/sparse.h"

namespace sy {

// a: [n, k], b: [k, m]; any layouts.
inline void RequireProduct(std::string_view op, const Tensor& a, const Tensor& b) {
  if (a.dim() != 2 || b.dim() != 2) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"expected two matrices, got ", Describe(a), " and ", Describe(b)});
  }
  if (a.sizes()[1] != b.sizes()[0]) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"inner dimensions differ: ", a.sizes(), " and ", b.sizes()});
  }
  if (a.dtype() != b.dtype()) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"expected one dtype, got ", a.dtype(), " and ", b.dtype()});
  }
  if (a.dtype() == DType::kBool) Fail(ErrorCode::kNotImplemented, op, {"not implemented for bool"});
  for (const Tensor* t : {&a, &b}) {
    const SparseState* s = FindSparse(*t);
    if (s == nullptr || s->dense_dim == 0) continue;
    Fail(ErrorCode::kNotImplemented, op,
         {"matrices of dense rows are not implemented, got ", Describe(*t), " with ", s->sparse_dim,
          " sparse dimensions"});
  }
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_SPARSE_PRODUCT_H_
