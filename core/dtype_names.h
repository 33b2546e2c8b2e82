// The dtypes of a mask by their names, for messages.
//
//   DTypeNames(Mask(DType::kFloat32, DType::kInt64)) == "int64, float32"
//
// Owns: nothing.
// Threads: any.
// Errors: std::bad_alloc.
#ifndef SWITCHYARD_CORE_DTYPE_NAMES_H_
#define SWITCHYARD_CORE_DTYPE_NAMES_H_

#include <string>
#include <string_view>

#include "switchyard/core/dtype.h"
#include "switchyard/core/macros.h"

namespace sy {

// In DType's order; bits beyond it are passed over.
SY_API std::string DTypeNames(DTypeMask dtypes, std::string_view between = ", ");

}  // namespace sy

#endif  // SWITCHYARD_CORE_DTYPE_NAMES_H_
