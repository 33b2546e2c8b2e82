// Sparse tensors: what they are held as.
//
//   COO: indices int64 [sparse_dim, nnz], values [nnz, dense sizes…]
//   CSR: crow_indices [batch…, rows + 1], col_indices [batch…, nnz], values [batch…, nnz, dense…]
//   CSC: the same of columns; BSR, BSC: of blocks: values [batch…, nnz, block rows, block columns…]
//
//   if (const SparseState* s = FindSparse(t)) s->values.sizes();
//
// A sparse tensor has sizes, dtype and device like others, kSparseBit in its key, strides of 0 and
// no bytes of its own: what it holds is attached to it as tensors. Calls with it go to kernels of
// its layout (dispatcher/layouts.h); operators that make and read such tensors are in ops/sparse.
// ATen has SparseTensorImpl and SparseCsrTensorImpl. Elements that are not held are 0. In COO the
// same position may be held several times, and then stands for the sum, unless `coalesced` says
// that positions are sorted and differ.
// Owns: references on the tensors that it is held as, whose contents are shared with whoever gave
// them.
// Threads: reading from any thread; operators in place replace the state, as a write.
// Errors: MakeSparse checks nothing but that sizes can be counted: positions are the operators'
// business.
#ifndef SWITCHYARD_CORE_SPARSE_H_
#define SWITCHYARD_CORE_SPARSE_H_

#include <cstdint>
#include <memory>

#include "switchyard/core/attachment.h"
#include "switchyard/core/tensor.h"

namespace sy {

// What is attached to a sparse tensor.
struct SY_API SparseState : Attachment {
  static constexpr AttachmentKind kKind{"sparse"};
  SparseState(Layout l, int64_t sparse, int64_t dense, Tensor i, Tensor p, Tensor v,
              bool is_coalesced = false)
      : layout(l),
        sparse_dim(sparse),
        dense_dim(dense),
        indices(std::move(i)),
        plain_indices(std::move(p)),
        values(std::move(v)),
        coalesced(is_coalesced) {}
  ~SparseState() override;
  // Elements held, of each batch. values: without a gap before.
  int64_t nnz() const;

  Layout layout;
  int64_t sparse_dim;    // of compressed layouts 2
  int64_t dense_dim;     // dimensions at the end that values have
  Tensor indices;        // of compressed layouts the compressed ones: crow, ccol
  Tensor plain_indices;  // of compressed layouts col, row; else undefined
  Tensor values;
  bool coalesced;  // COO alone
};

// CSR, CSC, BSR or BSC.
inline bool IsCompressed(Layout l) { return l >= Layout::kSparseCsr; }
inline bool HasBlocks(Layout l) { return l >= Layout::kSparseBsr; }
// Rows are what is compressed: CSR and BSR.
inline bool HasCompressedRows(Layout l) {
  return l == Layout::kSparseCsr || l == Layout::kSparseBsr;
}

// A tensor of these sizes, of the values' dtype and device. Errors: kInvalidArgument for sizes
// whose product exceeds 64 bits.
SY_API Tensor MakeSparse(IntSpan sizes, std::unique_ptr<SparseState> state);
// Null of a strided tensor. Borrowed: as long as the tensor keeps it.
SY_API const SparseState* FindSparse(const TensorBase& t);
// Another tensor, held as t is: the same tensors, without what else is attached to it.
SY_API Tensor SparseAlias(const Tensor& t);
// t becomes what `from` is, for all who hold it; both sparse. Errors: kInvalidArgument where
// devices differ, and nothing is done.
SY_API void BecomeSparse(const Tensor& t, const Tensor& from);

}  // namespace sy

#endif  // SWITCHYARD_CORE_SPARSE_H_
