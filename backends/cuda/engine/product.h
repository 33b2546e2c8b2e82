// Matrix products: by cuBLASLt, where it serves, else by tiles in shared memory.
//
//   RunProduct(call, out, {1, m, n, k}, MatricesOf(out), MatricesOf(a), MatricesOf(b));
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
// Errors: kNotImplemented for bool.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_PRODUCT_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_PRODUCT_H_

#include "backends/cuda/plan/types.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/core/scalar.h"
#include "switchyard/op/kernel.h"

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
// A vector as a matrix of one column, or of one row.
Matrices ColumnOf(const Tensor& t);
Matrices RowOf(const Tensor& t);

// What is multiplied; bool only where there is nothing to add up.

// out = beta x + alpha a b. out: [batch, m, n], a: [batch, m, k], b: [batch, k, n], of one dtype.
// like: out as a tensor, to which x's expands. relu: max(0, out) where that costs nothing; whether
// it was done is what is returned.
bool RunProduct(Call call, const Tensor& like, const ProductSizes& size, const Matrices& out,
                const Matrices& a, const Matrices& b, const Addend* x = nullptr,
                const Scalar& alpha = 1, bool relu = false);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_PRODUCT_H_
