// What kernels on batches of matrices share, which cuSOLVER and cuBLAS take one by one, by columns.
//
//   const Tensor a = Batched(call, self, 2), work = Room(a, a.size(0), m, n, /*by_rows=*/false);
//   Store(call, work, a);
//   … MatrixAt(work, i) …
//
// Tensors of a batch have one dimension for all matrices: [batch, rows, columns].
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument for sizes past what the libraries count with; kInvalidValue for NaN.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_LINALG_MATRICES_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_LINALG_MATRICES_H_

#include <vector>

#include "backends/cuda/driver/cusolver.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/linalg/matrices.h"

namespace sy::cuda {

cudaDataType_t LibraryType(DType d);
// A size that fits the libraries' integers.
int LibrarySize(Call call, int64_t n);

// [batch, rows, columns], uninitialised, each matrix by columns, or by rows.
Tensor Room(const Tensor& like, int64_t batch, int64_t rows, int64_t columns, bool by_rows);
// t with one dimension instead of all but the last `own`, dense.
Tensor Batched(Call call, const Tensor& t, size_t own);
// The same, once t is expanded to these sizes.
Tensor BatchedExpanded(Call call, const Tensor& t, IntSpan sizes, size_t own);
// out = t, whose matrices are in one batch, conjugated where asked for.
void Store(Call call, const Tensor& out, const Tensor& t, bool conjugates = false);
// A copy of t, which is [.., rows, columns], as a batch by columns.
Tensor CopyByColumns(Call call, const Tensor& t);
// What the library says of each matrix: int32, 0 so far.
Tensor NoDefects(Call call, const Tensor& batched);

// Ones on the diagonal, zeros elsewhere.
void SetIdentity(Call call, const Tensor& t);

inline void* MatrixAt(const Tensor& t, int64_t i) {
  return static_cast<char*>(t.data()) + i * t.strides()[0] * static_cast<int64_t>(t.itemsize());
}
inline int* InfoAt(const Tensor& info, int64_t i) { return static_cast<int*>(MatrixAt(info, i)); }

// The first flag that is set, or the first number that is not 0; -1: none. Waits.
int64_t FirstSet(const Tensor& flags);
// a: a batch. Waits.
void RequireNumbers(Call call, const Tensor& a);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_LINALG_MATRICES_H_
