// Sources of kernels that call one function of a header of device/.
//
//   KernelSource("sort", "SortArgs", "SortTile<float, true>(args)")
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_PLAN_KERNEL_SOURCE_H_
#define SWITCHYARD_BACKENDS_CUDA_PLAN_KERNEL_SOURCE_H_

#include <string>

namespace sy::cuda {

// For the compiler: a kernel's blocks have so many threads at most, and a multiprocessor is to have
// so many blocks. 0: not said.
struct Bounds {
  int threads = 0, blocks = 0;
};
// `body`, one call of a device function of `header`, as a source whose kernel has the function's
// name.
std::string KernelSource(const char* header, const char* args, const std::string& body,
                         Bounds bounds = {});

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_PLAN_KERNEL_SOURCE_H_
