// Tensors of positions, which are values that kernels use as indices.
//
//   const Array at = PositionsOf(device, index);
//   RequirePositions(call, at, dim, size);      waits: nothing may be written before it returns
//
// Threads: any.
// Errors: SY_E_INVALID_VALUE names the first position that is not 0 … size - 1, in row-major order;
// Declined for other dtypes than int32 and int64.
#ifndef OPENCL_POSITIONS_H_
#define OPENCL_POSITIONS_H_

#include "array.h"

namespace opencl {

// A tensor without dimensions is one of one element.
Array AtLeast1d(const Type& type, sy::abi::Tensor t);
Array PositionsOf(const Device& device, sy::abi::Tensor index);
void RequirePositions(sy::abi::Call call, const Array& index, int64_t dim, int64_t size);

}  // namespace opencl

#endif  // OPENCL_POSITIONS_H_
