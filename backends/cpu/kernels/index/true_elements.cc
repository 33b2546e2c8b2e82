#include "backends/cpu/kernels/index/true_elements.h"

#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/simd/instructions.h"
#include "switchyard/core/shape.h"

namespace sy::cpu {
namespace {

// Bytes that are not 0.
int64_t Count(const uint8_t* p, int64_t n) {
  Bytes16 sum{};
  int64_t i = 0;
  for (; i + 16 <= n; i += 16) sum += CountBytes(LoadBytes16(p + i));
  int64_t total = sum[0] + sum[1];
  for (; i < n; ++i) total += p[i] != 0;
  return total;
}

}  // namespace

Tensor RowMajor(const Tensor& t, IntSpan sizes) {
  if (t.is_contiguous() && SameSizes(t.sizes(), sizes)) return t;
  Tensor copy = Tensor::Empty(sizes, t.dtype());
  CopyElements(copy, t);
  return copy;
}

TrueElements::TrueElements(const Tensor& mask, IntSpan sizes) : mask_(mask) {
  if (mask.dtype() != DType::kBool || !mask.is_contiguous() || !SameSizes(mask.sizes(), sizes)) {
    mask_ = Tensor::Empty(sizes, DType::kBool);
    CopyElements(mask_, mask);
  }
  bytes_ = static_cast<const uint8_t*>(mask_.data());
  n_ = mask_.numel();
  const int64_t blocks = (n_ + kBlock - 1) / kBlock;
  before_.assign(static_cast<size_t>(blocks) + 1, 0);
  ParallelFor(blocks, 2, [&](int64_t b, int64_t e) {
    for (int64_t i = b; i < e; ++i) {
      const int64_t begin = i * kBlock;
      before_[static_cast<size_t>(i) + 1] = Count(bytes_ + begin, std::min(kBlock, n_ - begin));
    }
  });
  for (size_t i = 1; i < before_.size(); ++i) before_[i] += before_[i - 1];
}

}  // namespace sy::cpu
