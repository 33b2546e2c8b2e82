// A tensor as kernels take it: memory, an offset, sizes and strides in elements.
//
//   Array a(TypeOf(device, x.dtype()), x);
//   Array wide = a.Broadcast(out.sizes());      stride 0 where x has one element
//
// Owns: nothing; memory lives as its tensor or workspace does.
// Threads: as a value.
#ifndef OPENCL_ARRAY_H_
#define OPENCL_ARRAY_H_

#include <vector>

#include "types.h"

namespace opencl {

using Dims = std::vector<int64_t>;

Dims ContiguousStrides(const Dims& sizes);

struct Array {
  const Type* type = nullptr;
  cl_mem memory = nullptr;
  uint64_t offset = 0;  // of the first element, in elements
  Dims sizes, strides;

  Array() = default;
  // Declined for tensors that are not on the plugin's own device.
  Array(const Type& t, sy::abi::Tensor tensor);
  // A new contiguous one in memory that lives until what this call queues is done.
  static Array Workspace(sy::abi::Call call, const Type& t, const Dims& sizes);

  int64_t rank() const { return static_cast<int64_t>(sizes.size()); }
  int64_t numel() const;
  Array Broadcast(const Dims& to) const;
};

// Whether the tensor is a number of the host.
inline bool IsHost(sy::abi::Tensor t) { return t.view().device == SY_DEVICE_HOST; }

}  // namespace opencl

#endif  // OPENCL_ARRAY_H_
