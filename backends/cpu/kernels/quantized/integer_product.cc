#include "backends/cpu/kernels/quantized/integer_product.h"

#include <algorithm>

#include "switchyard/backends/cpu/simd/array.h"

namespace sy::cpu {
namespace {

constexpr int64_t kTerms = 1024;        // of a line that are multiplied at once
constexpr int64_t kWeights = 9 * 1024;  // of 16 bits: 18 of 32 KiB
constexpr int64_t kMostLanes = 32;

}  // namespace

IntegerProduct IntegerProduct::OfLines(const int8_t* weight, int64_t terms) {
  const int64_t parts = std::max<int64_t>(1, (terms + kTerms - 1) / kTerms);
  const int64_t run = parts == 1 ? terms : RoundUp((terms + parts - 1) / parts, kMostLanes);
  std::vector<int64_t> at;
  for (int64_t first = 0; first < std::max<int64_t>(1, terms); first += std::max<int64_t>(1, run))
    at.push_back(first);
  return {weight, terms, run, std::move(at)};
}

int64_t IntegerProduct::LinesAtOnce(int64_t columns) {
  return std::clamp<int64_t>((1 << 17) / std::max<int64_t>(1, columns), 12, 240);
}

void IntegerProduct::Sum(std::span<const int16_t* const> lines, int64_t column, int64_t columns,
                         int32_t* sums, int64_t ld) const {
  const ProductLoops& loops = ActiveQuantizedTables().products;
  const auto centre = ActiveQuantized<int8_t>().centre;
  const int64_t length = padded(), runs = static_cast<int64_t>(at_.size());
  const int64_t runs_at_once = std::max<int64_t>(1, kTerms / std::max<int64_t>(1, length));
  for (int64_t r = 0; r < runs; r += runs_at_once) {
    const int64_t count = std::min(runs_at_once, runs - r), step = count * length + kApart;
    const int64_t at_once = std::max<int64_t>(4, kWeights / std::max<int64_t>(1, step) / 4 * 4);
    const Array<int16_t> wide(step * std::min(at_once, columns));
    for (int64_t c = 0; c < columns; c += at_once) {
      const int64_t some = std::min(at_once, columns - c);
      int16_t* to = wide.begin();
      for (int64_t i = 0; i < some; ++i) {
        for (int64_t k = r; k < r + count; ++k, to += length) {
          const int64_t n = std::min(run_, terms_ - k * run_);
          centre(to, weight_ + (column + c + i) * terms_ + k * run_, n, 0);
          std::fill(to + n, to + length, int16_t{0});
        }
        to += kApart;
      }
      loops.products(sums + c, ld, lines.data(), static_cast<int64_t>(lines.size()), wide.begin(),
                     some, {at_.data() + r, count, length, step}, r > 0);
    }
  }
}

}  // namespace sy::cpu
