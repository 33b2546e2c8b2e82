#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/backends/cpu/engine/positions.h"
#include "switchyard/backends/cpu/engine/slices.h"

namespace sy::cpu {
namespace {

void Embedding(Call call, const Tensor& out, const Tensor& weight, const Tensor& indices, int64_t,
               bool, bool) {
  const int64_t n = indices.numel(), d = weight.sizes()[1];
  const Tensor flat = Dense(indices, DType::kInt64);
  const int64_t count[] = {n}, one[] = {1};
  const Positions at(call, flat.AsStrided(count, one, flat.storage_offset()), 0, weight.sizes()[0]);
  if (d == 0) return;
  IntoDense(out, out.dtype(), [&](const Tensor& to) {
    const int64_t sizes[] = {n, d}, strides[] = {d, 1};
    SelectSlices(to.AsStrided(sizes, strides, to.storage_offset()), weight, 0, at.data(), n);
  });
}

const Kernel kernel{"embedding", "cpu", kAnyDType, Embedding};

}  // namespace
}  // namespace sy::cpu
