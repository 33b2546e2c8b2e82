// What a loss does with its elements: `int reduction` of ATen's schemas.
#ifndef SWITCHYARD_OPS_NN_REDUCTION_H_
#define SWITCHYARD_OPS_NN_REDUCTION_H_

#include <cstdint>

namespace sy {

inline constexpr int64_t kReduceNone = 0, kReduceMean = 1, kReduceSum = 2;

}  // namespace sy

#endif  // SWITCHYARD_OPS_NN_REDUCTION_H_
