#include "switchyard/backends/cpu/engine/positions.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/backends/cpu/engine/outer_loops.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/shape.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 15;  // positions worth a thread

// The innermost dimension in one sweep, the others in parallel.
template <class I>
bool AllBelow(const Tensor& index, int64_t size) {
  if (index.is_contiguous()) return AllInRange(index.data(), index.dtype(), index.numel(), 0, size);
  const I* p = index.data<I>();
  std::atomic<bool> good{true};
  Outer<1> outer;
  for (int64_t d = index.dim() - 1; d >= 0; --d) outer.Add(index.sizes()[d], {index.strides()[d]});
  const auto inner = outer.TakeInnermost();
  ParallelFor(outer.count(), std::max<int64_t>(1, kGrain / inner.size),
              [&](int64_t begin, int64_t end) {
                outer.ForEach(begin, end, [&](const int64_t(&at)[1]) {
                  bool all = true;
                  for (int64_t i = 0; i < inner.size; ++i) {
                    const int64_t v = p[at[0] + i * inner.strides[0]];
                    all &= v >= 0 && v < size;
                  }
                  if (!all) good.store(false, std::memory_order_relaxed);
                });
              });
  return good;
}

// The first one out of range, in row-major order.
template <class I>
[[noreturn]] void FailFirst(Call call, const Tensor& index, int64_t dim, int64_t size) {
  Outer<1> outer;
  for (int64_t d = index.dim() - 1; d >= 0; --d) outer.Add(index.sizes()[d], {index.strides()[d]});
  int64_t value = 0, linear = -1, i = 0;
  outer.ForEach(0, outer.count(), [&](const int64_t(&at)[1]) {
    const int64_t v = index.data<I>()[at[0]];
    if (linear < 0 && (v < 0 || v >= size)) {
      value = v;
      linear = i;
    }
    ++i;
  });
  FailAt(call, index, linear, value, dim, size);
}

}  // namespace

bool AllInRange(const void* positions, DType dtype, int64_t n, int64_t least, int64_t count) {
  const size_t item = ItemSize(dtype);
  const auto all_in_range = ActiveHelpers().all_in_range[SizeIndex(item)];
  std::atomic<bool> good{true};
  ParallelFor(n, kGrain, [&](int64_t begin, int64_t end) {
    const char* p = static_cast<const char*>(positions) + begin * static_cast<int64_t>(item);
    if (!all_in_range(p, static_cast<size_t>(end - begin), least, static_cast<uint64_t>(count)))
      good.store(false, std::memory_order_relaxed);
  });
  return good;
}

void FailAt(Call call, const Tensor& index, int64_t linear, int64_t value, int64_t dim,
            int64_t size) {
  std::vector<int64_t> place(static_cast<size_t>(index.dim()));
  for (int64_t d = index.dim() - 1; d >= 0; --d) {
    place[d] = linear % index.sizes()[d];
    linear /= index.sizes()[d];
  }
  FailPosition(call.op(), value, dim, size, place);
}

void RequirePositions(Call call, const Tensor& index, int64_t dim, int64_t size) {
  if (index.numel() == 0) return;
  if (index.dtype() == DType::kInt64) {
    if (!AllBelow<int64_t>(index, size)) FailFirst<int64_t>(call, index, dim, size);
  } else {
    if (!AllBelow<int32_t>(index, size)) FailFirst<int32_t>(call, index, dim, size);
  }
}

void Positions::Copy(const Tensor& index) {
  const int64_t n = index.numel(), stride = index.dim() == 0 ? 1 : index.strides()[0];
  copy_.reset(new int64_t[static_cast<size_t>(n)]);
  data_ = copy_.get();
  for (int64_t i = 0; i < n; ++i) {
    copy_[i] = index.dtype() == DType::kInt64 ? index.data<int64_t>()[i * stride]
                                              : index.data<int32_t>()[i * stride];
  }
}

}  // namespace sy::cpu
