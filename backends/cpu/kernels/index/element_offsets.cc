#include "backends/cpu/kernels/index/element_offsets.h"

#include "backends/cpu/kernels/index/wrapped_positions.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/shape.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 14;  // positions worth a thread

// Row-major numbers of elements of t become their offsets in memory.
void OffsetsOfElements(const Tensor& numbers, const Tensor& t) {
  if (t.is_contiguous()) return;
  int64_t* p = numbers.data<int64_t>();
  ParallelFor(numbers.numel(), kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t rest = p[i], offset = 0;
      for (int64_t d = t.dim() - 1; d >= 0 && rest != 0; --d) {
        offset += rest % t.sizes()[d] * t.strides()[d];
        rest /= t.sizes()[d];
      }
      p[i] = offset;
    }
  });
}

}  // namespace

Tensor ElementOffsets(Call call, const Tensor& index, const Tensor& t) {
  Tensor at = WrappedPositions(call, index, 0, t.numel());
  OffsetsOfElements(at, t);
  return at;
}

Tensor MemoryOf(const Tensor& t) {
  const int64_t extent[] = {StorageExtent(t.sizes(), t.strides())}, one[] = {1};
  return t.AsStrided(extent, one, t.storage_offset());
}

}  // namespace sy::cpu
