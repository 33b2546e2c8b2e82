// Tensors as kernels want them that walk over memory in order.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_DENSE_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_DENSE_H_

#include "backends/cuda/engine/pointwise.h"

namespace sy::cuda {

// t itself where it is row-major and of that dtype, else a copy; undefined stays so.
inline Tensor Dense(Call call, const Tensor& t, DType dtype) {
  if (!t.defined() || (t.is_contiguous() && t.dtype() == dtype)) return t;
  Tensor copy = Tensor::Empty(t.sizes(), dtype, DeviceOfKey(call.key));
  CopyElements(call, copy, t);
  return copy;
}
// write(to), where `to` is out, or a row-major tensor of that dtype that is then copied there.
template <class F>
void IntoDense(Call call, const Tensor& out, DType dtype, F write) {
  if (out.is_contiguous() && out.dtype() == dtype) return write(out);
  const Tensor beside = Tensor::Empty(out.sizes(), dtype, out.device());
  write(beside);
  CopyElements(call, out, beside);
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_DENSE_H_
