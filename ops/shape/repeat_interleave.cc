// Each position of a dimension several times in a row: as often as a number, or a tensor of numbers
// for the positions, says; without dim, of all elements in a row. Of repeats alone: the positions,
// in the dtype of repeats.
//   self: any sizes; repeats: >= 0, int64 or int32, one for all or as many as positions   →
//   self's sizes, at dim the sum of repeats
// Errors: kInvalidArgument for negative repeats, another dtype, or another number of them;
// kOutOfRange for a dimension out of range.
// Example: sy::repeat_interleave(x, 2, 1)
// Source: ATen repeat_interleave.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator repeat_interleave_op{
    "repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kDynamicOutputShape)};
const Operator repeat_interleave_self_tensor_op{
    "repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? "
    "output_size=None) -> Tensor",
    KeyRule::kFirst};
const Operator repeat_interleave_self_int_op{
    "repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? "
    "output_size=None) -> Tensor",
    KeyRule::kFirst};

}  // namespace sy
