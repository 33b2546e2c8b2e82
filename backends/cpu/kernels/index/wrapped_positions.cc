#include "backends/cpu/kernels/index/wrapped_positions.h"

#include <atomic>

#include "switchyard/backends/cpu/engine/outer_loops.h"
#include "switchyard/backends/cpu/engine/positions.h"
#include "switchyard/core/parallel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 14;  // positions worth a thread

// kSet: offsets are not read, this being the first of them.
template <class I, bool kSet>
void AddOffsetsOf(Call call, int64_t* to, const Tensor& index, int64_t dim, int64_t size,
                  int64_t stride) {
  const I* from = index.data<I>();
  Outer<2> all;
  int64_t step = 1;  // of the offsets, which are row-major
  for (int64_t d = index.dim() - 1; d >= 0; --d) {
    all.Add(index.sizes()[d], {index.strides()[d], step});
    step *= index.sizes()[d];
  }
  const auto inner = all.TakeInnermost();
  std::atomic<int64_t> first_bad{INT64_MAX};
  ParallelFor(all.count(), std::max<int64_t>(1, kGrain / inner.size),
              [&](int64_t begin, int64_t end) {
                all.ForEach(begin, end, [&](const int64_t(&at)[2]) {
                  for (int64_t i = 0; i < inner.size; ++i) {
                    const int64_t v = from[at[0] + i * inner.strides[0]];
                    const int64_t wrapped = v < 0 ? v + size : v;
                    const int64_t linear = at[1] + i;
                    if (wrapped < 0 || wrapped >= size) [[unlikely]] {
                      int64_t known = first_bad;
                      while (linear < known && !first_bad.compare_exchange_weak(known, linear)) {
                      }
                      continue;
                    }
                    to[linear] = (kSet ? 0 : to[linear]) + wrapped * stride;
                  }
                });
              });
  const int64_t bad = first_bad;
  if (bad == INT64_MAX) return;
  int64_t offset = 0, rest = bad;
  for (int64_t d = index.dim() - 1; d >= 0; --d) {
    offset += rest % index.sizes()[d] * index.strides()[d];
    rest /= index.sizes()[d];
  }
  FailAt(call, index, bad, from[offset], dim, size);
}

template <bool kSet>
void Offsets(Call call, const Tensor& offsets, const Tensor& index, int64_t dim, int64_t size,
             int64_t stride) {
  if (index.numel() == 0) return;
  int64_t* to = offsets.data<int64_t>();
  if (index.dtype() == DType::kInt64) {
    AddOffsetsOf<int64_t, kSet>(call, to, index, dim, size, stride);
  } else {
    AddOffsetsOf<int32_t, kSet>(call, to, index, dim, size, stride);
  }
}

}  // namespace

void AddOffsets(Call call, const Tensor& offsets, const Tensor& index, int64_t dim, int64_t size,
                int64_t stride, bool first) {
  if (first) {
    Offsets<true>(call, offsets, index, dim, size, stride);
  } else {
    Offsets<false>(call, offsets, index, dim, size, stride);
  }
}

Tensor WrappedPositions(Call call, const Tensor& index, int64_t dim, int64_t size) {
  Tensor at = Tensor::Empty(index.sizes(), DType::kInt64);
  AddOffsets(call, at, index, dim, size, 1, /*first=*/true);
  return at;
}

}  // namespace sy::cpu
