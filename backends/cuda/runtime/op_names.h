// Numbers for operators' names, by which kernels on the device say whose they are.
//
// Owns: nothing; names live for the process. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_RUNTIME_OP_NAMES_H_
#define SWITCHYARD_BACKENDS_CUDA_RUNTIME_OP_NAMES_H_

#include <string_view>

namespace sy::cuda {

// The same for equal names.
int NumberOfOp(std::string_view op);
std::string_view OpOfNumber(int number);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RUNTIME_OP_NAMES_H_
