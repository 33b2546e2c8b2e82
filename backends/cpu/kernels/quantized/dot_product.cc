#include "backends/cpu/kernels/quantized/dot_product.h"

#include <algorithm>
#include <utility>

#include "switchyard/core/parallel.h"

namespace sy::cpu {
namespace {

// Terms that are multiplied at once: of kColumns columns they take 32 KiB.
constexpr int64_t kTerms = 512;
constexpr int64_t kPackedByAThread = 1 << 17;  // bytes

}  // namespace

DotProduct::DotProduct(const DotLoops& dots, const int8_t* weight, int64_t columns, int64_t terms,
                       int64_t run, std::vector<int64_t> at, int32_t zero)
    : dots_(dots), at_(std::move(at)), columns_(columns), run_(run) {
  constexpr int64_t kBlock = DotLoops::kColumns;
  const DotRuns runs{at_.data(), static_cast<int64_t>(at_.size()), run_};
  fours_ = runs.fours();
  block_bytes_ = runs.count * fours_ * kBlock * 4;
  const int64_t blocks = (columns + kBlock - 1) / kBlock;
  packed_ = Array<int8_t>(blocks * block_bytes_);
  start_ = Array<int32_t>(blocks * kBlock);
  ParallelFor(blocks, std::max<int64_t>(1, kPackedByAThread / std::max<int64_t>(1, block_bytes_)),
              [&](int64_t first, int64_t last) {
                for (int64_t b = first; b < last; ++b) {
                  dots_.pack(packed_.begin() + b * block_bytes_, start_.begin() + b * kBlock,
                             weight + b * kBlock * terms, std::min(kBlock, columns - b * kBlock),
                             terms, runs, zero);
                }
              });
}

DotProduct DotProduct::OfLines(const DotLoops& dots, const int8_t* weight, int64_t columns,
                               int64_t terms, int32_t zero) {
  const int64_t parts = std::max<int64_t>(1, (terms + kTerms - 1) / kTerms);
  const int64_t run = parts == 1 ? terms : ((terms + parts - 1) / parts + 63) / 64 * 64;
  std::vector<int64_t> at;
  for (int64_t first = 0; first < std::max<int64_t>(1, terms); first += std::max<int64_t>(1, run))
    at.push_back(first);
  return {dots, weight, columns, terms, run, std::move(at), zero};
}

void DotProduct::Sum(std::span<const uint8_t* const> lines, int32_t* sums, int64_t ld) const {
  const auto runs = static_cast<int64_t>(at_.size());
  const int64_t at_once = std::max<int64_t>(1, kTerms / std::max<int64_t>(1, fours_ * 4));
  for (int64_t r = 0; r < runs; r += at_once) {
    dots_.products(sums, ld, lines.data(), static_cast<int64_t>(lines.size()),
                   packed_.begin() + r * fours_ * DotLoops::kColumns * 4, block_bytes_, columns_,
                   {at_.data() + r, std::min(at_once, runs - r), run_},
                   r == 0 ? start_.begin() : nullptr);
  }
}

}  // namespace sy::cpu
