// Products of sparse matrices: _sparse_mm of a sparse matrix with a strided one, or of two sparse
// ones; smm gives the first as a sparse matrix, hspmm as one of dense rows; sspaddmm adds it to a
// sparse one. sparse_sampled_addmm computes beta * self + alpha * (mat1 @ mat2) at the positions of
// self alone, which is sparse_csr. mm, addmm, mv, bmm and matmul take sparse matrices as well.
//   sparse: [n, k], sparse_coo, sparse_csr or sparse_csc; dense: [k, m]   →   [n, m], strided; of
//   two sparse ones sparse_coo where the first is, else sparse_csr
// Errors: kInvalidArgument for ranks, inner dimensions and dtypes that differ; kNotImplemented for
// bool and other layouts.
// Example: sy::_sparse_mm(sy::to_sparse(x), y)
// Source: ATen _sparse_mm, _sparse_addmm, smm, hspmm, sspaddmm, sparse_sampled_addmm.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator sparse_mm_op{"_sparse_mm(Tensor sparse, Tensor dense) -> Tensor"};
const Operator sparse_addmm_op{
    "_sparse_addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> "
    "Tensor"};
const Operator smm_op{"smm(Tensor self, Tensor mat2) -> Tensor"};
const Operator hspmm_op{"hspmm(Tensor mat1, Tensor mat2) -> Tensor"};
const Operator sspaddmm_op{
    "sspaddmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"};
const Operator sparse_sampled_addmm_op{
    "sparse_sampled_addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) "
    "-> Tensor",
    kOut};

}  // namespace sy
