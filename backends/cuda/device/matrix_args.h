// What kernels on batches of matrices are launched with. Matrices lie by columns, one after the
// other.
//
// The host, NVRTC and tests compile this header.
// Owns: nothing; addresses are the device's. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_MATRIX_ARGS_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_MATRIX_ARGS_H_

namespace sy::cuda {

// Eigenvectors of real n x n matrices (device/eigenvectors.h).
struct EigenvectorArgs {
  long long count, n;  // elements of all matrices
  const void* values;  // complex: [matrices, n]
  const void* parts;   // real
  void* vectors;       // complex
};

// Hermitian n x n matrices and their factors (device/ldl.h).
struct LdlArgs {
  long long batch, n, columns;
  void* a;           // the lower triangle
  int* pivots;       // [batch, n]
  int* info;         // [batch]
  const int* which;  // of the equations' matrices: whose factors
  void* b;           // [n, columns], by columns
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_MATRIX_ARGS_H_
