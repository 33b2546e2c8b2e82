// Matrix products by cuBLASLt, which is opened when it is first needed.
//
// Owns: a handle for each device, and the algorithms that were chosen, for the process.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_CUBLASLT_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_CUBLASLT_H_

#include <string_view>

#include "backends/cuda/device/args.h"
#include "backends/cuda/plan/gemm_plan.h"
#include "backends/cuda/runtime/stream.h"
#include "switchyard/core/dtype.h"

namespace sy::cuda {

// dtype's products: of floating and complex numbers; 16-bit floats are summed in float.
inline constexpr DTypeMask kLibraryProducts = kFloatingTypes | kComplexTypes;

struct LibraryProduct {
  DType left_type, right_type, result_type;  // one, or 8-bit floats and a result of another
  GemmPlan plan;
  int64_t batch;
  const void *left, *right;  // of the plan
  void* result;
  int64_t left_step, right_step, result_step;  // elements from one of a batch to the next
  Immediate alpha, beta;                       // beta: of what is in the result
  // Added to each column of the plan's result; of bias_type.
  const void* bias = nullptr;
  DType bias_type = DType::kFloat32;
  bool relu = false;  // max(0, x) is what is stored
  // By which 8-bit factors are multiplied, on the device: one float32 each, or one for each of the
  // plan's result's rows and columns.
  const void *left_scale = nullptr, *right_scale = nullptr;
  bool scales_are_vectors = false;
  bool fast_sums = false;  // of 8-bit floats, with fewer bits
};
// Queues it, for the operator. False, and nothing done, where there is no library or it does not
// serve.
bool RunLibraryProduct(std::string_view op, CudaStream& stream, const LibraryProduct& product);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_CUBLASLT_H_
