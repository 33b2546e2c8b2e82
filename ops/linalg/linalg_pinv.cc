// Pseudoinverses (linalg_pinv, pinverse) and numbers of rows that are independent
// (linalg_matrix_rank), by singular values: those up to max(atol, rtol times the largest) count as
// 0. With `hermitian`, by eigenvalues.
//   self: [.., m, n], float32, float64 or complex   →   [.., n, m]; [..], int64 (rank)
//   atol: default 0; rtol: default 0 where atol is above 0, else the dtype's precision times
//   max(m, n); as tensors, sizes that broadcast with the batch. rcond is rtol, tol is atol, without
//   the other
// Errors: kInvalidArgument when self is no matrix, or not square with hermitian, or of another
// dtype.
// Example: sy::pinverse(sy::eye(3))
// Source: ATen linalg_pinv, pinverse, linalg_matrix_rank.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator linalg_pinv_op{
    "linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor", KeyRule::kFirst, kOut};
const Operator linalg_pinv_rcond_tensor_op{
    "linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor",
    KeyRule::kFirst, Out("out_rcond_tensor")};
const Operator linalg_pinv_float_op{
    "linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool "
    "hermitian=False) -> Tensor",
    KeyRule::kFirst, kOut};
const Operator linalg_pinv_tensor_op{
    "linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool "
    "hermitian=False) -> Tensor",
    KeyRule::kFirst, kOut};
const Operator pinverse_op{"pinverse(Tensor self, float rcond=1.0000000000000001e-15) -> Tensor",
                           KeyRule::kFirst};

const Operator linalg_matrix_rank_op{
    "linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor", KeyRule::kFirst,
    kOut};
const Operator linalg_matrix_rank_tol_tensor_op{
    "linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) -> Tensor",
    KeyRule::kFirst, Out("out_tol_tensor")};
const Operator linalg_matrix_rank_float_op{
    "linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool "
    "hermitian=False) -> Tensor",
    KeyRule::kFirst, kOut};
const Operator linalg_matrix_rank_tensor_op{
    "linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, "
    "bool hermitian=False) -> Tensor",
    KeyRule::kFirst, kOut};

}  // namespace sy
