// A = Q R of each matrix: Q with orthonormal columns, R upper triangular.
//   A: [.., m, n], float32, float64 or complex; k = min(m, n)   →   Q: [.., m, k], R: [.., k, n]
//   (reduced), Q: [.., m, m], R: [.., m, n] (complete), Q: [0], R: [.., k, n] (r)
// qr: some is reduced, not some complete.
// Errors: kInvalidArgument when A is no matrix, of another dtype, or the mode is none of these.
// Example: auto [q, r] = sy::linalg_qr(sy::eye(3))
// Source: ATen linalg_qr, qr.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator linalg_qr_op{
    "linalg_qr(Tensor A, str mode=\"reduced\") -> (Tensor Q, Tensor R)", KeyRule::kFirst,
    Out("linalg_qr.out(Tensor A, str mode=\"reduced\", *, Tensor(a!) Q, Tensor(b!) R) -> "
        "(Tensor(a!) Q, Tensor(b!) R)") |
        Tags(OperatorTag::kSameDTypeOut)};
const Operator qr_op{"qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)", KeyRule::kFirst,
                     Out("qr.Q(Tensor self, bool some=True, *, Tensor(a!) Q, Tensor(b!) R) -> "
                         "(Tensor(a!) Q, Tensor(b!) R)")};

}  // namespace sy
