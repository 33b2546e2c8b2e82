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
                       int64_t run, std::vector<int64_t> at)
    : dots_(dots), at_(std::move(at)), run_(run) {
  constexpr int64_t kBlock = DotLoops::kColumns;
  const DotRuns runs{at_.data(), static_cast<int64_t>(at_.size()), run_};
  fours_ = runs.fours();
  block_bytes_ = runs.count * fours_ * kBlock * 4;
  const int64_t blocks = (columns + kBlock - 1) / kBlock;
  packed_ = Array<int8_t>(blocks * block_bytes_);
  sums_ = Array<int32_t>(blocks * kBlock);
  ParallelFor(blocks, std::max<int64_t>(1, kPackedByAThread / std::max<int64_t>(1, block_bytes_)),
              [&](int64_t first, int64_t last) {
                for (int64_t b = first; b < last; ++b) {
                  dots_.pack(packed_.begin() + b * block_bytes_, sums_.begin() + b * kBlock,
                             weight + b * kBlock * terms, std::min(kBlock, columns - b * kBlock),
                             terms, runs);
                }
              });
}

DotProduct DotProduct::OfLines(const DotLoops& dots, const int8_t* weight, int64_t columns,
                               int64_t terms) {
  const int64_t parts = std::max<int64_t>(1, (terms + kTerms - 1) / kTerms);
  const int64_t run = parts == 1 ? terms : ((terms + parts - 1) / parts + 63) / 64 * 64;
  std::vector<int64_t> at;
  for (int64_t first = 0; first < std::max<int64_t>(1, terms); first += std::max<int64_t>(1, run))
    at.push_back(first);
  return {dots, weight, columns, terms, run, std::move(at)};
}

Array<int32_t> DotProduct::StartsFor(int32_t zero) const {
  Array<int32_t> starts(sums_.size());
  for (int64_t c = 0; c < sums_.size(); ++c) {
    // As the sums themselves wrap.
    starts[c] =
        static_cast<int32_t>(-static_cast<uint32_t>(zero) * static_cast<uint32_t>(sums_[c]));
  }
  return starts;
}

void DotProduct::Sum(std::span<const uint8_t* const> lines, const Array<int32_t>& starts,
                     int64_t column, int64_t columns, int32_t* sums, int64_t ld) const {
  const auto runs = static_cast<int64_t>(at_.size());
  const int64_t at_once = std::max<int64_t>(1, kTerms / std::max<int64_t>(1, fours_ * 4));
  const int8_t* const packed = packed_.begin() + column / DotLoops::kColumns * block_bytes_;
  for (int64_t r = 0; r < runs; r += at_once) {
    dots_.products(sums, ld, lines.data(), static_cast<int64_t>(lines.size()),
                   packed + r * fours_ * DotLoops::kColumns * 4, block_bytes_, columns,
                   {at_.data() + r, std::min(at_once, runs - r), run_},
                   r == 0 ? starts.begin() + column : nullptr);
  }
}

}  // namespace sy::cpu
