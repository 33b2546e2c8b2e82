// In training, sets each element to 0 with probability p and divides the others by 1 - p; else
// gives back input. feature_dropout draws once for each channel of each sample; alpha_dropout sets
// elements to what keeps mean and variance of selu's results, and scales and shifts all;
// feature_alpha_dropout does both. native_dropout also gives the mask of what is kept.
//   input: floating or complex (in training; of features: at least 2 dimensions); p: 0 … 1; train:
//   native_dropout takes None for true   →   like input
// Errors: kInvalidArgument for p out of range, and fewer dimensions.
// Example: sy::dropout(x, 0.1, /*train=*/true)
// Source: ATen dropout, feature_dropout, alpha_dropout, feature_alpha_dropout, native_dropout; the
// numbers for a seed are PyTorch's.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

constexpr Variants kMayAlias =
    Tags(OperatorTag::kNondeterministicSeeded, OperatorTag::kMaybeAliasingOrMutating);
constexpr Variants kSeeded = Tags(OperatorTag::kNondeterministicSeeded);

}  // namespace

const Operator dropout_op{"dropout(Tensor input, float p, bool train) -> Tensor", KeyRule::kFirst,
                          kMayAlias};
const Operator dropout_in_place_op{"dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)",
                                   KeyRule::kFirst, kSeeded};
const Operator feature_dropout_op{"feature_dropout(Tensor input, float p, bool train) -> Tensor",
                                  KeyRule::kFirst, kMayAlias};
const Operator feature_dropout_in_place_op{
    "feature_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", KeyRule::kFirst,
    kSeeded};
const Operator alpha_dropout_op{"alpha_dropout(Tensor input, float p, bool train) -> Tensor",
                                KeyRule::kFirst, kMayAlias};
const Operator alpha_dropout_in_place_op{
    "alpha_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", KeyRule::kFirst, kSeeded};
const Operator feature_alpha_dropout_op{
    "feature_alpha_dropout(Tensor input, float p, bool train) -> Tensor", KeyRule::kFirst,
    kMayAlias};
const Operator feature_alpha_dropout_in_place_op{
    "feature_alpha_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", KeyRule::kFirst,
    kSeeded};
const Operator native_dropout_op{
    "native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)", KeyRule::kFirst,
    Out("native_dropout.out(Tensor input, float p, bool? train, *, Tensor(a!) out0, Tensor(b!) "
        "out1) -> (Tensor(a!), Tensor(b!))") |
        Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut) | kSeeded};

}  // namespace sy
