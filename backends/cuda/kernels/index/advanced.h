// Several indices at once, masks among them: what index and index_put share.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream; masks wait for the device.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_INDEX_ADVANCED_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_INDEX_ADVANCED_H_

#include <vector>

#include "backends/cuda/engine/index.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/index/advanced.h"

namespace sy::cuda {

// Indices, on the device, alone: each mask becomes those of the dimensions it stands for.
std::vector<Tensor> IndicesAlone(Call call, const Tensor& self, TensorList indices);

// The only index, where there is one, and its dimension; else null.
const Tensor* OnlyIndex(const std::vector<Tensor>& indices, int64_t& dim);

// Where the indices, which expand to at's, point in self.
LinearIndices LinearIndicesAt(Call call, const AdvancedIndex& at, const Tensor& self,
                              std::vector<Tensor> indices);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_INDEX_ADVANCED_H_
