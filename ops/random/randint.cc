// A new tensor of integers drawn evenly from [low (0), high); randint_like shapes it as another,
// and takes high from a 0-d tensor too.
//   size: >= 0 each   →   size; `dtype` or int64 (randint_like: self's)
//   generator: the device's default one unless given
// Errors: as empty and random_.
// Example: sy::randint(0, 10, {2, 3})
// Source: ATen randint; the numbers for a seed are PyTorch's.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator randint_op{
    "randint(SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? "
    "device=None, bool? "
    "pin_memory=None) -> Tensor",
    Tags(OperatorTag::kNondeterministicSeeded)};
const Operator randint_generator_op{
    "randint.generator(SymInt high, SymInt[] size, *, Generator? generator, ScalarType? dtype=4, "
    "Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None) -> Tensor"};
const Operator randint_low_op{
    "randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? "
    "layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor",
    Tags(OperatorTag::kNondeterministicSeeded)};
const Operator randint_low_generator_op{
    "randint.low_generator(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, "
    "ScalarType? dtype=4, Layout? "
    "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
const Operator randint_out_op{
    "randint.out(SymInt high, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)",
    Tags(OperatorTag::kNondeterministicSeeded)};
const Operator randint_low_out_op{
    "randint.low_out(SymInt low, SymInt high, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)",
    Tags(OperatorTag::kNondeterministicSeeded)};
const Operator randint_like_op{
    "randint_like(Tensor self, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};
const Operator randint_like_low_op{
    "randint_like.low_dtype(Tensor self, SymInt low, SymInt high, *, ScalarType? dtype=None, "
    "Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};
const Operator randint_like_out_op{
    "randint_like.out(Tensor self, SymInt high, *, MemoryFormat? memory_format=None, Tensor(a!) "
    "out) -> Tensor(a!)",
    KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};
const Operator randint_like_low_out_op{
    "randint_like.low_dtype_out(Tensor self, SymInt low, SymInt high, *, MemoryFormat? "
    "memory_format=None, Tensor(a!) "
    "out) -> Tensor(a!)",
    KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};
const Operator randint_generator_out_op{
    "randint.generator_out(SymInt high, SymInt[] size, *, Generator? generator, Tensor(a!) "
    "out) -> Tensor(a!)"};
const Operator randint_low_generator_out_op{
    "randint.low_generator_out(SymInt low, SymInt high, SymInt[] size, *, Generator? "
    "generator, Tensor(a!) out) -> Tensor(a!)"};
const Operator randint_like_generator_op{
    "randint_like.generator(Tensor self, SymInt high, *, Generator? generator, ScalarType? "
    "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, "
    "MemoryFormat? memory_format=None) -> Tensor",
    KeyRule::kFirst};
const Operator randint_like_generator_out_op{
    "randint_like.generator_out(Tensor self, SymInt high, *, Generator? generator, "
    "MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)",
    KeyRule::kFirst};
const Operator randint_like_low_generator_op{
    "randint_like.low_generator_dtype(Tensor self, SymInt low, SymInt high, *, Generator? "
    "generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    KeyRule::kFirst};
const Operator randint_like_low_generator_out_op{
    "randint_like.low_generator_dtype_out(Tensor self, SymInt low, SymInt high, *, "
    "Generator? generator, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)",
    KeyRule::kFirst};
const Operator randint_like_tensor_op{
    "randint_like.Tensor(Tensor self, Tensor high, *, ScalarType? dtype=None, Layout? "
    "layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? "
    "memory_format=None) -> Tensor",
    KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};
const Operator randint_like_tensor_out_op{
    "randint_like.Tensor_out(Tensor self, Tensor high, *, MemoryFormat? memory_format=None, "
    "Tensor(a!) out) -> Tensor(a!)",
    KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};
const Operator randint_like_tensor_generator_op{
    "randint_like.Tensor_generator(Tensor self, Tensor high, *, Generator? generator, "
    "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    KeyRule::kFirst};
const Operator randint_like_tensor_generator_out_op{
    "randint_like.Tensor_generator_out(Tensor self, Tensor high, *, Generator? generator, "
    "MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)",
    KeyRule::kFirst};

}  // namespace sy
