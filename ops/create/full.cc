// A new tensor filled with one number; full_like shapes it as another.
//   size: >= 0 each   →   size; `dtype` or else the number's: bool, int64, the default dtype or its
//   complex one
// Errors: kInvalidArgument when the number does not fit the dtype; else as empty.
// Example: sy::full({2, 3}, 7)
// Source: ATen full.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator full_op{
    "full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
const Operator full_out_op{
    "full.out(SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)"};
const Operator full_like_op{
    "full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, "
    "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    KeyRule::kFirst};
const Operator full_like_out_op{
    "full_like.out(Tensor self, Scalar fill_value, *, MemoryFormat? memory_format=None, Tensor(a!) "
    "out) -> Tensor(a!)",
    KeyRule::kFirst};

}  // namespace sy
