#include "array.h"

namespace opencl {

Dims ContiguousStrides(const Dims& sizes) {
  Dims strides(sizes.size());
  int64_t stride = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= sizes[d];
  }
  return strides;
}

Array::Array(const Type& t, sy::abi::Tensor tensor)
    : type(&t),
      sizes(tensor.sizes().begin(), tensor.sizes().end()),
      strides(tensor.strides().begin(), tensor.strides().end()) {
  if (tensor.numel() == 0) return;  // without memory
  if (tensor.buffer() == nullptr) throw sy::abi::Declined();
  memory = static_cast<cl_mem>(tensor.buffer()->handle);
  offset = tensor.byte_offset() / t.bytes;
}

Array Array::Workspace(sy::abi::Call call, const Type& t, const Dims& sizes) {
  Array a;
  a.type = &t;
  a.sizes = sizes;
  a.strides = ContiguousStrides(sizes);
  const uint64_t bytes = static_cast<uint64_t>(a.numel()) * t.bytes;
  if (bytes != 0) a.memory = static_cast<cl_mem>(call.Workspace(bytes).handle);
  return a;
}

int64_t Array::numel() const {
  int64_t n = 1;
  for (int64_t size : sizes) n *= size;
  return n;
}

Array Array::Broadcast(const Dims& to) const {
  Array a = *this;
  a.sizes = to;
  a.strides.assign(to.size(), 0);
  const size_t missing = to.size() - sizes.size();
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] != 1) a.strides[missing + d] = strides[d];
  }
  return a;
}

}  // namespace opencl
