// A new tensor of zeros; zeros_like shapes it as another.
//   size: >= 0 each   →   size; `dtype` or the default dtype, on `device` or the default device
// Errors: as empty.
// Example: sy::zeros({2, 3})
// Source: ATen zeros.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator zeros_op{
    "zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) "
    "-> Tensor"};
const Operator zeros_out_op{"zeros.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"};
const Operator zeros_like_op{
    "zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    KeyRule::kFirst};
const Operator zeros_like_out_op{
    "zeros_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
    "Tensor(a!)",
    KeyRule::kFirst};

}  // namespace sy
