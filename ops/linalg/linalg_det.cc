// Determinants: their value (linalg_det, det), sign and logarithm of the magnitude (linalg_slogdet,
// slogdet), logarithm (logdet: NaN for negative ones). The forms with an underscore give the
// factors that they are computed from too.
//   A: [.., n, n], float32, float64 or complex   →   [..]; logabsdet is real
// Errors: kInvalidArgument when A is not square or of another dtype.
// Example: sy::linalg_det(sy::eye(3))
// Source: ATen linalg_det, _linalg_det, det, linalg_slogdet, _linalg_slogdet, slogdet, logdet.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator linalg_det_with_factors_op{
    "_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)", KeyRule::kFirst,
    Out("_linalg_det.result(Tensor A, *, Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots) -> "
        "(Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots)") |
        Tags(OperatorTag::kSameDTypeOut)};
const Operator linalg_det_op{"linalg_det(Tensor A) -> Tensor", KeyRule::kFirst, kOut};
const Operator det_op{"det(Tensor self) -> Tensor", KeyRule::kFirst};
const Operator linalg_slogdet_with_factors_op{
    "_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots)",
    KeyRule::kFirst,
    Out("_linalg_slogdet.sign(Tensor A, *, Tensor(a!) sign, Tensor(b!) logabsdet, Tensor(c!) LU, "
        "Tensor(d!) pivots) -> (Tensor(a!) sign, Tensor(b!) logabsdet, Tensor(c!) LU, Tensor(d!) "
        "pivots)") |
        Tags(OperatorTag::kSameDTypeOut)};
const Operator linalg_slogdet_op{
    "linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)", KeyRule::kFirst,
    Out("linalg_slogdet.out(Tensor A, *, Tensor(a!) sign, Tensor(b!) logabsdet) -> (Tensor(a!) "
        "sign, Tensor(b!) logabsdet)") |
        Tags(OperatorTag::kSameDTypeOut)};
const Operator slogdet_op{
    "slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)", KeyRule::kFirst,
    Out("slogdet.out(Tensor self, *, Tensor(a!) sign, Tensor(b!) logabsdet) -> (Tensor(a!) sign, "
        "Tensor(b!) logabsdet)") |
        Tags(OperatorTag::kSameDTypeOut)};
const Operator logdet_op{"logdet(Tensor self) -> Tensor", KeyRule::kFirst};

}  // namespace sy
