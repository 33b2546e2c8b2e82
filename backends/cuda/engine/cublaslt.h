// Matrix products by cuBLASLt, which is opened when it is first needed.
//
// Owns: a handle for each device, and the algorithms that were chosen, for the process.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_CUBLASLT_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_CUBLASLT_H_

#include "backends/cuda/device/args.h"
#include "backends/cuda/plan/gemm_plan.h"
#include "backends/cuda/runtime/stream.h"
#include "switchyard/core/dtype.h"

namespace sy::cuda {

// dtype's products: of floating and complex numbers; 16-bit floats are summed in float.
inline constexpr DTypeMask kLibraryProducts = kFloatingTypes | kComplexTypes;

struct LibraryProduct {
  DType dtype;
  GemmPlan plan;
  int64_t batch;
  const void *left, *right;  // of the plan
  void* result;
  int64_t left_step, right_step, result_step;  // elements from one of a batch to the next
  Immediate alpha, beta;                       // beta: of what is in the result
};
// Queues it. False, and nothing done, where there is no library or it does not serve.
bool RunLibraryProduct(const LibraryProduct& product, CudaStream& stream);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_CUBLASLT_H_
