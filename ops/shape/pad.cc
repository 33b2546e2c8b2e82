// self with a border: of one number (constant), of its elements mirrored without the outermost
// (reflect), of its outermost elements (replicate), or of those of the other end (circular).
// constant_pad_nd is the first, _pad_circular the last; _pad_enum has a number for the mode, 0
// reflect, 1 replicate, 2 circular, 3 constant. Negative widths cut off.
//   self: any sizes; pad: left and right of the last dimension, then of the one before, … (modes
//   other than constant: of the last 1, 2 or 3 dimensions of a tensor of one or two dimensions
//   more) → self's sizes and the widths
// Errors: kInvalidArgument for an odd number of widths or too many, a width that leaves less than
// nothing, one that a mode cannot fill, and an unknown mode.
// Example: sy::constant_pad_nd(x, {1, 1}, 0)
// Source: ATen pad, constant_pad_nd, _pad_circular, _pad_enum.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator pad_op{
    "pad(Tensor self, SymInt[] pad, str mode=\"constant\", float? value=None) -> Tensor",
    KeyRule::kFirst};
const Operator constant_pad_nd_op{
    "constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor", KeyRule::kFirst,
    kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};
const Operator pad_circular_op{"_pad_circular(Tensor self, SymInt[] pad) -> Tensor",
                               KeyRule::kFirst};
const Operator pad_enum_op{
    "_pad_enum(Tensor self, SymInt[] pad, int mode, float? value=None) -> Tensor", KeyRule::kFirst};

}  // namespace sy
