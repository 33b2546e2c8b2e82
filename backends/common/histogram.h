// Where the bins of a histogram begin and end.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_HISTOGRAM_H_
#define SWITCHYARD_BACKENDS_COMMON_HISTOGRAM_H_

#include <optional>
#include <vector>

#include "switchyard/op/kernel.h"

namespace sy {

struct Ends {
  double low, high;
};
// The range of the d-th coordinate, of which a list has both ends; absent where the list is.
inline std::optional<Ends> EndsIn(std::optional<std::span<const double>> range, size_t d = 0) {
  if (!range) return std::nullopt;
  return Ends{(*range)[2 * d], (*range)[2 * d + 1]};
}

// given: the range that is asked for, else the least and the greatest number; absent where there is
// none. beside: added on both sides of a range of one number.
// Errors: kInvalidValue unless finite; kInvalidArgument unless ascending.
Ends EndsOfBins(Call call, std::optional<Ends> given, double beside);

// bins + 1 edges from low to high, each step rounded to `dtype`, a floating one.
std::vector<double> EdgesOfBins(DType dtype, Ends ends, int64_t bins);

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_HISTOGRAM_H_
