// A matrix with ones on its diagonal and zeros elsewhere.
//   n, m: >= 0   →   [n, m], or [n, n]; `dtype` or the default dtype
// Errors: kInvalidArgument for negative sizes; else as empty.
// Example: sy::eye(3)
// Source: ATen eye.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator eye_op{
    "eye(SymInt n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
const Operator eye_m_op{
    "eye.m(SymInt n, SymInt m, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor"};
const Operator eye_out_op{"eye.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!)"};
const Operator eye_m_out_op{"eye.m_out(SymInt n, SymInt m, *, Tensor(a!) out) -> Tensor(a!)"};

}  // namespace sy
