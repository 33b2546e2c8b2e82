// What histogramdd asks of its arguments, on every device.
//
//   RequireHistogramBins(call, self, bins, range, weight);
//
// Owns: nothing. Threads: any.
// Errors: kNotImplemented unless self is float32 or float64; kInvalidArgument unless self is
// [.., d] with bins or edges for each of d coordinates, bins are above 0, a range has two ends for
// each, edges are 1-d, two at least and of self's dtype, and a weight is of that dtype and of
// self's sizes without the last.
#ifndef SWITCHYARD_OPS_SORT_HISTOGRAM_POINTS_H_
#define SWITCHYARD_OPS_SORT_HISTOGRAM_POINTS_H_

#include <optional>
#include <span>

#include "switchyard/core/tensor.h"
#include "switchyard/op/kernel.h"

namespace sy {

SY_API void RequireHistogramBins(Call call, const Tensor& self, IntSpan bins,
                                 std::optional<std::span<const double>> range,
                                 const Tensor& weight);
SY_API void RequireHistogramEdges(Call call, const Tensor& self, TensorList edges,
                                  const Tensor& weight);

}  // namespace sy

#endif  // SWITCHYARD_OPS_SORT_HISTOGRAM_POINTS_H_
