// Norms of matrices (linalg_matrix_norm, nuclear_norm, frobenius_norm), of vectors or matrices
// (linalg_norm), and how far a matrix is from a singular one (linalg_cond).
//   ord: 'fro', 'nuc' (the sum of the singular values), 1 and -1 (the largest and the smallest sum
//   of a column's magnitudes), inf and -inf (of a row's), 2 and -2 (the largest and the smallest
//   singular value); of vectors any number
//   self: floating or complex, unless `dtype` is; dim: two dimensions (matrices), one (vectors), or
//   none: all   →   the sizes left (reduced ones stay as 1 with keepdim), real
//   linalg_cond: self [.., m, n], square unless p is None, 2 or -2   →   [..]
// Errors: kInvalidArgument for another ord, dtype or number of dimensions; kOutOfRange for a
// dimension out of range and the largest of nothing.
// Example: sy::linalg_matrix_norm(sy::eye(3))
// Source: ATen linalg_matrix_norm, linalg_norm, linalg_cond, nuclear_norm, frobenius_norm.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator linalg_matrix_norm_op{
    "linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, "
    "ScalarType? dtype=None) -> Tensor",
    KeyRule::kFirst, kOut};
const Operator linalg_matrix_norm_str_op{
    "linalg_matrix_norm.str_ord(Tensor self, str ord=\"fro\", int[] dim=[-2, -1], bool "
    "keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    KeyRule::kFirst, kOut};
const Operator linalg_norm_op{
    "linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, "
    "ScalarType? dtype=None) -> Tensor",
    KeyRule::kFirst, kOut};
const Operator linalg_norm_str_op{
    "linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, "
    "ScalarType? "
    "dtype=None) -> Tensor",
    KeyRule::kFirst, kOut};
const Operator nuclear_norm_op{"nuclear_norm(Tensor self, bool keepdim=False) -> Tensor",
                               KeyRule::kFirst, kOut};
const Operator nuclear_norm_dim_op{
    "nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor", KeyRule::kFirst,
    kOut};
const Operator frobenius_norm_op{
    "frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", KeyRule::kFirst,
    Out("out")};
const Operator linalg_cond_op{"linalg_cond(Tensor self, Scalar? p=None) -> Tensor", KeyRule::kFirst,
                              kOut};
const Operator linalg_cond_str_op{"linalg_cond.p_str(Tensor self, str p) -> Tensor",
                                  KeyRule::kFirst, kOut};

}  // namespace sy
