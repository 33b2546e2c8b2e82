// Elements sorted by where they go: the last of each place's is copied there, or all of them are
// combined in their order.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_COMBINE_RUNS_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_COMBINE_RUNS_H_

#include <vector>

#include "backends/cuda/device/args.h"
#include "backends/cuda/engine/index.h"

namespace sy::cuda {

// Of keys below `end`, and `end` itself.
inline DType KeyType(int64_t end) { return end < UINT32_MAX ? DType::kUInt32 : DType::kUInt64; }

// The keys of an index's elements, row by row: the place by its strides, plus position *
// keys.stride; first: nothing is in the keys yet. keys: size, stride, dim and wraps are given.
void FillKeys(Call call, const LinearIndices& places, const Tensor& index, IntSpan strides,
              bool first, KeyArgs keys);

// How items lie in the source and what moves along with each. Strides: elements.
struct Runs {
  std::vector<int64_t> item_sizes, item_strides;
  int64_t to_stride;  // of a place
  std::vector<int64_t> sizes, to_strides, from_strides;
};
void PutRuns(Call call, Combine how, const Tensor& out, const LinearIndices& places,
             const Tensor& source, const Runs& runs, const CombineOptions& options);

// The device's type that does a step.
const char* StepOf(Combine how, DType dtype, const CombineOptions& options);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_COMBINE_RUNS_H_
