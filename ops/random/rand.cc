// A new tensor of numbers drawn evenly from [0, 1); rand_like shapes it as another.
//   size: >= 0 each   →   size; `dtype` or the default dtype, on `device` or the default device
//   generator: the device's default one unless given
// Errors: as empty, and as the operator that fills it.
// Example: sy::rand({2, 3})
// Source: ATen rand; the numbers for a seed are PyTorch's.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator rand_op{
    "rand(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> "
    "Tensor",
    Tags(OperatorTag::kNondeterministicSeeded)};
const Operator rand_generator_op{
    "rand.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? "
    "layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor"};
const Operator rand_out_op{"rand.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)",
                           Tags(OperatorTag::kNondeterministicSeeded)};
const Operator rand_like_op{
    "rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};
const Operator rand_like_out_op{
    "rand_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)",
    KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};
const Operator rand_generator_out_op{
    "rand.generator_out(SymInt[] size, *, Generator? generator, Tensor(a!) out) -> "
    "Tensor(a!)"};
const Operator rand_like_generator_op{
    "rand_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, "
    "Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? "
    "memory_format=None) -> Tensor",
    KeyRule::kFirst};
const Operator rand_like_generator_out_op{
    "rand_like.generator_out(Tensor self, *, Generator? generator, MemoryFormat? "
    "memory_format=None, Tensor(a!) out) -> Tensor(a!)",
    KeyRule::kFirst};

}  // namespace sy
