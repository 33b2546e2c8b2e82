// The three schemas of an operator that does something to each tensor of a list: new tensors, in
// place, into given ones.
//
//   SY_FOREACH(add_scalar, "_foreach_add", ".Scalar", ".Scalar_out", ", Scalar scalar", ", *, ")
//
// id: of the objects. args: behind self. star: ", *, ", or ", " where args are by name already.
// Tensors of a list may differ in dtype: nothing is promoted from one to another.
#ifndef SWITCHYARD_OPS_FOREACH_SCHEMAS_H_
#define SWITCHYARD_OPS_FOREACH_SCHEMAS_H_

#include "switchyard/op/operator.h"

#define SY_FOREACH(id, name, overload, out_overload, args, star)                                \
  const Operator id##_op{name overload "(Tensor[] self" args ") -> Tensor[]", KeyRule::kFirst}; \
  const Operator id##_in_place_op{name "_" overload "(Tensor(a!)[] self" args ") -> ()",        \
                                  KeyRule::kFirst};                                             \
  const Operator id##_out_op{name out_overload "(Tensor[] self" args star                       \
                                               "Tensor(a!)[] out) -> ()",                       \
                             KeyRule::kFirst, Tags(OperatorTag::kRowMajorOut)};

#endif  // SWITCHYARD_OPS_FOREACH_SCHEMAS_H_
