// What the kernels of segment_reduce and of its gradient are told of segments.
#ifndef BACKENDS_CUDA_KERNELS_INDEX_SEGMENTS_H_
#define BACKENDS_CUDA_KERNELS_INDEX_SEGMENTS_H_

#include <cstdint>

#include "backends/cuda/device/nn_args.h"
#include "switchyard/core/tensor.h"
#include "switchyard/op/kernel.h"

namespace sy::cuda {

// Sets args' sizes, and its bounds to those in the result, on data's device: checked on the host,
// which waits for lengths and offsets. Errors: as SegmentBounds.
Tensor PlaceSegments(Call call, SegmentArgs* args, const Tensor& data, int64_t segments,
                     int64_t axis, const Tensor& lengths, const Tensor& offsets, bool complete);

}  // namespace sy::cuda

#endif  // BACKENDS_CUDA_KERNELS_INDEX_SEGMENTS_H_
