// Each matrix multiplied by itself n times (linalg_matrix_power, matrix_power), its inverse for
// negative n; and the matrix's exponential, the sum of A^k / k! (linalg_matrix_exp, matrix_exp).
//   self: [.., m, m]; exponential: floating or complex   →   like self
// Errors: kInvalidArgument when self is not square or of another dtype; kInvalidValue for the
// inverse of a singular matrix.
// Example: sy::linalg_matrix_power(sy::eye(3), 5)
// Source: ATen linalg_matrix_power, matrix_power, linalg_matrix_exp, matrix_exp.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator linalg_matrix_power_op{"linalg_matrix_power(Tensor self, int n) -> Tensor",
                                      KeyRule::kFirst, kOut | Tags(OperatorTag::kSameDTypeOut)};
const Operator matrix_power_op{"matrix_power(Tensor self, int n) -> Tensor", KeyRule::kFirst,
                               kOut | Tags(OperatorTag::kSameDTypeOut)};
const Operator linalg_matrix_exp_op{"linalg_matrix_exp(Tensor self) -> Tensor", KeyRule::kFirst,
                                    kOut};
const Operator matrix_exp_op{"matrix_exp(Tensor self) -> Tensor", KeyRule::kFirst};

}  // namespace sy
