// Slices along a dimension as rows: what finding different ones needs of tensors' layouts.
//
//   dim = CheckedUniqueDim(op, self, dim);
//   const Tensor rows = DimInFront(self, dim);    // [n, …]
//   DimBack(values, dim);
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_OPS_INDEX_UNIQUE_DIM_H_
#define SWITCHYARD_OPS_INDEX_UNIQUE_DIM_H_

#include <string_view>

#include "switchyard/core/tensor.h"

namespace sy {

// dim, wrapped. Errors: kInvalidArgument for a 0-d tensor and where another dimension is empty, or
// that one is not the only such; kOutOfRange for dim.
SY_API int64_t CheckedUniqueDim(std::string_view op, const TensorBase& self, int64_t dim);

// t with dim (0 or above) before all others; and the other way round.
SY_API Tensor DimInFront(const Tensor& t, int64_t dim);
SY_API Tensor DimBack(const Tensor& t, int64_t dim);

}  // namespace sy

#endif  // SWITCHYARD_OPS_INDEX_UNIQUE_DIM_H_
