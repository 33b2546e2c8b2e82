// Constants: tensors whose elements never change again, as a model's weights do not.
//
//   freeze(weight);                      // from here on writing to it is refused
//   linear(x, weight, bias);             // what the kernel packs once, it finds again
//
// A kernel that is told that an argument is constant may prepare it once and go on using what it
// made: packed weights, weights in a device's own layout. ATen's nearest is freezing a module,
// which folds constants into a graph.
// Of what is constant the storage counts: all views of it are. Operators that would write it are
// errors; who writes it by its address breaks the promise, and may get results of before.
// Owns: nothing; constants live as other tensors do.
// Threads: any; freeze before others use the tensor.
// Errors: kInvalidArgument for an undefined tensor.
#ifndef SWITCHYARD_CORE_CONSTANT_H_
#define SWITCHYARD_CORE_CONSTANT_H_

#include "switchyard/core/tensor.h"

namespace sy {

// Makes t, and all that shows its storage, constant for as long as it lives. Returns t.
SY_API const Tensor& freeze(const Tensor& t);
// Whether its elements cannot change any more. False for undefined tensors.
inline bool is_frozen(const Tensor& t) {
  return (t.impl()->storage->marks.load(std::memory_order_relaxed) & StorageImpl::kConstant) != 0;
}

namespace internal {
// Called when the storage of a constant goes, before its bytes do; for who keeps things by it.
using ConstantDeathFn = void (*)(const StorageImpl* storage) noexcept;
SY_API void OnConstantDeath(ConstantDeathFn fn);
}  // namespace internal

}  // namespace sy

#endif  // SWITCHYARD_CORE_CONSTANT_H_
