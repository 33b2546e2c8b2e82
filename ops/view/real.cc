// Complex tensors seen as real ones and back: real and imag are one part of each element (real of a
// real tensor is itself), view_as_real both as a new last dimension, view_as_complex the reverse.
// resolve_conj and resolve_neg write out what conj and imag give as views of conjugates and
// negatives, and return others as they are; those two cannot be seen as the other kind of numbers.
//   self: any sizes; view_as_complex: [..., 2], float16, float32 or float64, the last stride 1 and
//   the others even   →   the storage of self
// Errors: kInvalidArgument for a dtype or strides that cannot be seen so.
// Example: sy::view_as_real(sy::to(x, DType::kComplex64))
// Source: ATen real, imag, view_as_real, view_as_complex, resolve_conj, resolve_neg.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator real_op{"real(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};
const Operator imag_op{"imag(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};
const Operator view_as_real_op{"view_as_real(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};
const Operator view_as_complex_op{"view_as_complex(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};
const Operator resolve_conj_op{"resolve_conj(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};
const Operator resolve_neg_op{"resolve_neg(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};

}  // namespace sy
