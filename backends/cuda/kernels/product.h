// Matrix products: by cuBLASLt, where it serves, else by tiles in shared memory.
//
//   RunProduct(call, like, {1, m, n, k}, Matrices::Of(out), Matrices::Of(a), Matrices::Of(b));
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
// Errors: kNotImplemented for bool.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_PRODUCT_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_PRODUCT_H_

#include "switchyard/core/scalar.h"
#include "switchyard/registry/kernel.h"

namespace sy::cuda {

// A batch of matrices in memory: strides of batch, rows and columns, in elements.
struct Matrices {
  void* data;
  int64_t strides[3];
};
struct ProductSizes {
  int64_t batch, m, n, k;
};
// What is added to a product: beta times a tensor; matrices: the same as they lie in memory.
struct Addend {
  const Tensor& tensor;
  Matrices matrices;
  Scalar beta;
};
// t broadcasts to [batch, rows, columns].
Matrices MatricesOf(const Tensor& t);

// out = beta x + alpha a b. out: [batch, m, n], a: [batch, m, k], b: [batch, k, n], of one dtype.
// like: out as a tensor, to which x's expands.
void RunProduct(Call call, const Tensor& like, const ProductSizes& size, const Matrices& out,
                const Matrices& a, const Matrices& b, const Addend* x = nullptr,
                const Scalar& alpha = 1);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_PRODUCT_H_
