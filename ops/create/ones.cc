// A new tensor of ones; ones_like shapes it as another.
//   size: >= 0 each   →   size; `dtype` or the default dtype, on `device` or the default device
// Errors: as empty.
// Example: sy::ones({2, 3}, DType::kInt16)
// Source: ATen ones.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator ones_op{
    "ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) "
    "-> Tensor"};
const Operator ones_out_op{"ones.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"};
const Operator ones_like_op{
    "ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    KeyRule::kFirst};
const Operator ones_like_out_op{
    "ones_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)",
    KeyRule::kFirst};

}  // namespace sy
