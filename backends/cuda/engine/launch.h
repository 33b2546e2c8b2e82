// Launches kernels on the calling thread's current stream of a call's device.
//
//   Launch(call, FindKernel(…), BlocksFor(n), args);
//
// Owns: nothing. Threads: any.
// Errors: kUnavailable where the driver refuses the launch.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_LAUNCH_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_LAUNCH_H_

#include <string_view>

#include "backends/cuda/rtc/kernels.h"
#include "backends/cuda/runtime/stream.h"
#include "switchyard/op/kernel.h"

namespace sy::cuda {

struct Grid {
  int64_t blocks;
  int threads;  // of a block
  int64_t blocks_y = 1;
};
inline constexpr int kThreads = 256;
// So many threads, in blocks of kThreads.
inline Grid BlocksFor(int64_t threads) { return {(threads + kThreads - 1) / kThreads, kThreads}; }

void LaunchKernel(CudaStream& stream, CUfunction kernel, const Grid& grid, void* args,
                  std::string_view op);

// Finds the kernel that `text` is the source of, and launches it.
template <class Args>
void Launch(const Call& call, const KernelKey& key, SourceText text, const Grid& grid, Args& args) {
  CudaStream& stream = StreamOf(call.key);
  LaunchKernel(stream, FindKernel(stream.state(), key, text), grid, &args, call.op());
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_LAUNCH_H_
