// How elements that meet are reduced, by name: what scatter_reduce and index_reduce accept.
#ifndef SWITCHYARD_OPS_INDEX_REDUCE_NAME_H_
#define SWITCHYARD_OPS_INDEX_REDUCE_NAME_H_

#include "switchyard/ops/shape_functions.h"

namespace sy {

// Errors: kInvalidArgument for another name; kNotImplemented for a dtype that has no such
// reduction, if there is anything to reduce.
inline void RequireReduction(ShapeContext& r, const TensorBase& self, std::string_view reduce,
                             bool any) {
  const bool extreme = reduce == "amax" || reduce == "amin", mean = reduce == "mean";
  if (!extreme && !mean && reduce != "sum" && reduce != "prod")
    r.Fail({"reduce must be 'sum', 'prod', 'mean', 'amax' or 'amin', got '", reduce, "'"});
  if (!any) return;
  DTypeMask allowed = kIntegerTypes | kFloatingTypes;
  if (!extreme) allowed |= kComplexTypes;
  if (!mean) allowed |= Bit(DType::kBool);
  RequireDType(r, self, allowed);
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_INDEX_REDUCE_NAME_H_
