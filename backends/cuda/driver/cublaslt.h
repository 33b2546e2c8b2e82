// cuBLASLt's functions, opened when they are first needed.
//
//   const LtTable* lt = FindLt();       // null: there is none
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_DRIVER_CUBLASLT_H_
#define SWITCHYARD_BACKENDS_CUDA_DRIVER_CUBLASLT_H_

#include <cublasLt.h>

#include <string>

namespace sy::cuda {

#define SY_CUBLASLT_FUNCTIONS(X) \
  X(Create)                      \
  X(GetVersion)                  \
  X(Matmul)                      \
  X(MatmulAlgoGetHeuristic)      \
  X(MatmulDescCreate)            \
  X(MatmulDescDestroy)           \
  X(MatmulDescSetAttribute)      \
  X(MatrixLayoutCreate)          \
  X(MatrixLayoutDestroy)         \
  X(MatrixLayoutSetAttribute)    \
  X(MatmulPreferenceCreate)      \
  X(MatmulPreferenceDestroy)     \
  X(MatmulPreferenceSetAttribute)

struct LtTable {
#define SY_CUBLASLT_MEMBER(name) decltype(&::cublasLt##name) name = nullptr;
  SY_CUBLASLT_FUNCTIONS(SY_CUBLASLT_MEMBER)
#undef SY_CUBLASLT_MEMBER
};
// Instead of the library: what tests put there, before it is first asked for.
void UseLt(const LtTable& table);

// Null where it cannot be opened, which WarnOfOwnProducts says, or where SWITCHYARD_CUDA_LIBRARIES
// is 0.
const LtTable* FindLt();

// Products of the backend's own kernels are right, and a hundred times slower than a device can do:
// said once, with the reason.
void WarnOfOwnProducts(const std::string& why);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DRIVER_CUBLASLT_H_
