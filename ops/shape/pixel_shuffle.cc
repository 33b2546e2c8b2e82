// Moves factors between channels and space: pixel_shuffle makes [..., C r r, H, W] a
// [..., C, H r, W r], pixel_unshuffle the reverse; channel_shuffle, and native_channel_shuffle by
// another name, deals channels out to groups.
//   self: at least 3-d   →   as said; channel_shuffle: sizes of self
// Errors: kInvalidArgument for fewer dimensions, a factor below 1, or sizes that it does not
// divide.
// Example: sy::pixel_shuffle(sy::ones({1, 4, 2, 2}), 2)
// Source: ATen pixel_shuffle, pixel_unshuffle, channel_shuffle, native_channel_shuffle.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator pixel_shuffle_op{
    "pixel_shuffle(Tensor self, int upscale_factor) -> Tensor", KeyRule::kFirst,
    kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};
const Operator pixel_unshuffle_op{
    "pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor", KeyRule::kFirst,
    kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};
const Operator channel_shuffle_op{
    "channel_shuffle(Tensor self, SymInt groups) -> Tensor", KeyRule::kFirst,
    kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};
const Operator native_channel_shuffle_op{
    "native_channel_shuffle(Tensor self, SymInt groups) -> Tensor", KeyRule::kFirst};

}  // namespace sy
