// Copies of what views of conjugates, negatives, other sizes and the other kind of numbers show,
// row by row; lift_fresh_copy of self as it is.
//   self: as the view takes it; _conj_copy: complex   →   what the view shows, in storage of its
//   own
// Errors: those of the view.
// Example: sy::_reshape_copy(x, {-1})
// Source: ATen _conj_copy, _neg_view_copy, view_as_real_copy, view_as_complex_copy, _reshape_copy,
// lift_fresh_copy.
#include "switchyard/ops/shape_functions.h"

namespace sy {

constexpr auto kCopies = Tags(OperatorTag::kViewCopy);

const Operator conj_copy_op{"_conj_copy(Tensor self) -> Tensor", KeyRule::kFirst, kOut | kCopies};
const Operator neg_view_copy_op{"_neg_view_copy(Tensor self) -> Tensor", KeyRule::kFirst,
                                kOut | Tags(OperatorTag::kSameDTypeOut) | kCopies};
const Operator view_as_real_copy_op{"view_as_real_copy(Tensor self) -> Tensor", KeyRule::kFirst,
                                    kOut | Tags(OperatorTag::kSameDTypeOut) | kCopies};
const Operator view_as_complex_copy_op{"view_as_complex_copy(Tensor self) -> Tensor",
                                       KeyRule::kFirst,
                                       kOut | Tags(OperatorTag::kSameDTypeOut) | kCopies};
const Operator lift_fresh_copy_op{"lift_fresh_copy(Tensor self) -> Tensor", KeyRule::kFirst,
                                  kOut | Tags(OperatorTag::kSameDTypeOut) | kCopies};
const Operator reshape_copy_op{"_reshape_copy(Tensor self, SymInt[] size) -> Tensor",
                               KeyRule::kFirst};

}  // namespace sy
