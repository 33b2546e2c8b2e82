#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/index.h"

namespace sy::cuda {
namespace {

void Embedding(Call call, const Tensor& out, const Tensor& weight, const Tensor& indices, int64_t,
               bool, bool) {
  const int64_t n = indices.numel(), d = weight.sizes()[1];
  const Tensor at = Dense(call, indices, indices.dtype());
  const int64_t count[] = {n}, one[] = {1}, sizes[] = {n, d}, strides[] = {d, 1};
  const Tensor flat = at.AsStrided(count, one, at.storage_offset());
  IntoDense(call, out, out.dtype(), [&](const Tensor& to) {
    GatherElements(call, to.AsStrided(sizes, strides, to.storage_offset()), weight, 0,
                   IndexOfSlices(flat, sizes, 0));
  });
}
const Kernel embedding{"embedding", "cuda", kAnyDType, Embedding};

}  // namespace
}  // namespace sy::cuda
