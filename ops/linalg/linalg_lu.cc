// A = P L U of each matrix (linalg_lu), and the same of the factors in one that linalg_lu_factor
// gives (lu_unpack).
//   A, LU_data: [.., m, n], float32, float64 or complex; k = min(m, n)   →   P: [.., m, m], rows of
//   the unit matrix, L: [.., m, k], lower triangular with ones on its diagonal, U: [.., k, n],
//   upper triangular; [0] for what is not unpacked
//   LU_pivots: [.., k], int32, from 1
// Errors: kInvalidArgument when sizes or dtypes do not fit; kInvalidValue for a pivot that is no
// row.
// Example: auto [p, l, u] = sy::linalg_lu(sy::eye(3))
// Source: ATen linalg_lu, lu_unpack.
#include <algorithm>

#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

void UnpackShape(ShapeContext& r, const TensorBase& lu, const TensorBase& pivots, bool data,
                 bool unpack_pivots) {
  RequireMatrices(r.op(), lu, "LU_data");
  const int64_t m = lu.size(-2), n = lu.size(-1), k = std::min(m, n);
  if (unpack_pivots) {
    RequireVectorsOf(r.op(), lu, pivots, "LU_data", "LU_pivots", DType::kInt32);
    if (pivots.size(-1) != k) {
      r.Fail({"LU_pivots must have ", k, " elements for each matrix, got sizes ", pivots.sizes()});
    }
  }
  const auto output = [&](bool unpacked, int64_t rows, int64_t columns) {
    if (unpacked) {
      OutputPerMatrix(r, BatchOf(lu), {rows, columns}, lu.dtype());
    } else {
      r.Output({0}, lu.dtype());
    }
  };
  output(unpack_pivots, m, m);
  output(data, m, k);
  output(data, k, n);
}

}  // namespace

const Operator linalg_lu_op{
    "linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)", KeyRule::kFirst,
    Out("linalg_lu.out(Tensor A, *, bool pivot=True, Tensor(a!) P, Tensor(b!) L, Tensor(c!) U) -> "
        "(Tensor(a!) P, Tensor(b!) L, Tensor(c!) U)") |
        Tags(OperatorTag::kSameDTypeOut)};
const Operator lu_unpack_op{
    "lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) "
    "-> (Tensor P, Tensor L, Tensor U)",
    Outputs<3>(UnpackShape),
    Out("lu_unpack.out(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool "
        "unpack_pivots=True, *, Tensor(a!) P, Tensor(b!) L, Tensor(c!) U) -> (Tensor(a!) P, "
        "Tensor(b!) L, Tensor(c!) U)")};

}  // namespace sy
