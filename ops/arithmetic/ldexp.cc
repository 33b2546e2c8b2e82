// self multiplied by 2 to the power `other`; of two numbers, x by 2 to the power i.
//   self, other: sizes that broadcast   →   common sizes; the dtype of self times a float
// Errors: kInvalidArgument when sizes do not broadcast; kNotImplemented for exponents of bool where
// self is floating.
// Example: sy::ldexp(a, b)
// Source: ATen ldexp.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator ldexp_op{"ldexp.Tensor(Tensor self, Tensor other) -> Tensor", KeyRule::kFirst,
                        Out("out") | Tags(OperatorTag::kPointwise)};
const Operator ldexp_in_place_op{"ldexp_(Tensor(a!) self, Tensor other) -> Tensor(a!)",
                                 KeyRule::kFirst, Tags(OperatorTag::kPointwise)};
const Operator ldexp_number_op{"ldexp(float x, int i) -> float"};

}  // namespace sy
