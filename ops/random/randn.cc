// A new tensor of numbers from the standard normal distribution; randn_like shapes it as another.
//   size: >= 0 each   →   size; `dtype` or the default dtype, on `device` or the default device
//   generator: the device's default one unless given
// Errors: as empty, and as the operator that fills it.
// Example: sy::randn({2, 3})
// Source: ATen randn; the numbers for a seed are PyTorch's.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator randn_op{
    "randn(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> "
    "Tensor",
    Tags(OperatorTag::kNondeterministicSeeded)};
const Operator randn_generator_op{
    "randn.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? "
    "layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor"};
const Operator randn_out_op{"randn.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)",
                            Tags(OperatorTag::kNondeterministicSeeded)};
const Operator randn_like_op{
    "randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};
const Operator randn_like_out_op{
    "randn_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
    "Tensor(a!)",
    KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};
const Operator randn_generator_out_op{
    "randn.generator_out(SymInt[] size, *, Generator? generator, Tensor(a!) out) -> "
    "Tensor(a!)"};
const Operator randn_like_generator_op{
    "randn_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, "
    "Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? "
    "memory_format=None) -> Tensor",
    KeyRule::kFirst};
const Operator randn_like_generator_out_op{
    "randn_like.generator_out(Tensor self, *, Generator? generator, MemoryFormat? "
    "memory_format=None, Tensor(a!) out) -> Tensor(a!)",
    KeyRule::kFirst};

}  // namespace sy
