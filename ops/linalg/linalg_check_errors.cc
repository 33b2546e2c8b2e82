// Fails where a factorisation says of a matrix that it has no factors.
//   info: int32, any sizes, a number for each matrix, 0 where all is well; api_name: of whom the
//   error speaks; is_matrix: of one matrix, not of a batch
// Errors: kInvalidValue for the first number that is not 0, kInvalidArgument for other dtypes.
// Example: sy::_linalg_check_errors(sy::zeros({2}, sy::DType::kInt32), "linalg.inv", false)
// Source: ATen _linalg_check_errors.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator linalg_check_errors_op{
    "_linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> ()", KeyRule::kFirst};

}  // namespace sy
