#include "backends/cpu/kernels/masks.h"

#include <emmintrin.h>

#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/core/shape.h"

namespace sy::cpu {
namespace {

// Bytes that are not 0.
int64_t Count(const uint8_t* p, int64_t n) {
  const __m128i one = _mm_set1_epi8(1);
  __m128i sum = _mm_setzero_si128();
  int64_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
    sum = _mm_add_epi64(sum, _mm_sad_epu8(_mm_min_epu8(x, one), _mm_setzero_si128()));
  }
  int64_t total = _mm_cvtsi128_si64(sum) + _mm_cvtsi128_si64(_mm_unpackhi_epi64(sum, sum));
  for (; i < n; ++i) total += p[i] != 0;
  return total;
}

}  // namespace

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
