#include "backends/cuda/kernels/nn/reduce_losses.h"

#include <limits>

#include "backends/cuda/engine/pointwise.h"
#include "backends/cuda/engine/reduce.h"
#include "switchyard/ops/nn/reduction.h"

namespace sy::cuda {

void ReduceLosses(Call call, const Tensor& out, DType dtype, const Tensor& elements,
                  int64_t reduction) {
  if (reduction == kReduceMean && elements.numel() == 0)
    return FillElements(call, out, Scalar(std::numeric_limits<double>::quiet_NaN()));
  Reduce(call, reduction == kReduceMean ? kMean : kSum, dtype, elements, kAllDims, &out);
}

}  // namespace sy::cuda
