// What numbers a dtype holds, where the dtype is known while the program runs. Where it is known
// before, std::numeric_limits of the C++ type says the same.
//
//   finfo(DType::kBFloat16).eps == 0.0078125;  iinfo(DType::kInt16).max == 32767;
//
// Owns: nothing.
// Threads: any.
// Errors: kInvalidArgument for a dtype of the other kind.
// Source: names and meaning follow torch.finfo and torch.iinfo.
#ifndef SWITCHYARD_CORE_DTYPE_INFO_H_
#define SWITCHYARD_CORE_DTYPE_INFO_H_

#include <cstdint>

#include "switchyard/core/dtype.h"

namespace sy {

struct FloatInfo {
  int bits;                // of a number
  double eps;              // from 1 to the next number
  double max, min;         // the largest finite number and the lowest: min == -max
  double smallest_normal;  // above 0 with all digits; also called tiny
  double smallest_subnormal;
  double resolution;  // 10^-digits, of the decimal digits that a number always holds
};
// Of a complex dtype: of its parts.
SY_API FloatInfo finfo(DType d);

struct IntInfo {
  int bits;
  int64_t min;
  uint64_t max;
};
SY_API IntInfo iinfo(DType d);

}  // namespace sy

#endif  // SWITCHYARD_CORE_DTYPE_INFO_H_
