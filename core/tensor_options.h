// Options: what a tensor is made as. What is left out is as by default.
//
//   sy::zeros({2, 3}, {.dtype = DType::kInt16, .device = "cuda:0"});
//
// ATen's TensorOptions, as a plain struct with designated initialisers.
// Owns: nothing.
// Threads: any.
// Errors: a device given as a text throws what ParseDevice does.
#ifndef SWITCHYARD_CORE_TENSOR_OPTIONS_H_
#define SWITCHYARD_CORE_TENSOR_OPTIONS_H_

#include "switchyard/core/dtype.h"
#include "switchyard/core/memory_format.h"
#include "switchyard/core/optional.h"

namespace sy {

struct Options {
  Optional<DType> dtype = {};      // DefaultDType(), or what the operator infers
  Optional<Device> device = {};    // DefaultDevice()
  Optional<Layout> layout = {};    // strided, or as the operator says
  Optional<bool> pin_memory = {};  // false; true: host memory, pinned
};

}  // namespace sy

#endif  // SWITCHYARD_CORE_TENSOR_OPTIONS_H_
