// 8-bit images, in integers: along rows first, then across them, rounded each time, as ATen's are.
#include "switchyard/backends/cpu/engine/bytes.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "backends/cpu/kernels/resample/resampler.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/backends/cpu/engine/pixels.h"
#include "switchyard/core/parallel.h"

namespace sy::cpu {
namespace {

// Weights that fit 16 bits.
struct WholeTaps : Taps<double> {
  int shift;
  std::vector<int16_t> whole;

  explicit WholeTaps(const f::ResampleAxis& a) : Taps(a), shift(ShiftOf(*this)) {
    whole.reserve(weights.size());
    for (const double w : weights) whole.push_back(static_cast<int16_t>(f::WholeWeight(w, shift)));
  }
  const int16_t* whole_weight(int64_t o) const { return &whole[static_cast<size_t>(o * most)]; }
};

// As the loops take them (engine/bytes.h), for pixels of 1, 3 or 4 bytes.
struct PairedTaps {
  int64_t pairs;
  std::vector<int32_t> first, weights;

  PairedTaps(const WholeTaps& t, int64_t inner)
      : pairs(inner == 1 ? (t.most + 3) / 4 * 2 : (t.most + 1) / 2),
        first(static_cast<size_t>(t.outputs)),
        weights(static_cast<size_t>(pairs * (inner == 1 ? t.outputs : (t.outputs + 1) / 2 * 8))) {
    for (int64_t o = 0; o < t.outputs; ++o) {
      first[static_cast<size_t>(o)] = static_cast<int32_t>(t.begin(o) * inner);
      const int16_t* w = t.whole_weight(o);
      const int64_t count = t.end(o) - t.begin(o);
      for (int64_t p = 0; 2 * p < count; ++p) {
        const auto low = static_cast<uint16_t>(w[2 * p]),
                   high = static_cast<uint16_t>(2 * p + 1 < count ? w[2 * p + 1] : 0);
        const auto pair = static_cast<int32_t>(uint32_t{high} << 16 | low);
        if (inner == 1) {
          weights[static_cast<size_t>(p * t.outputs + o)] = pair;
        } else {
          std::fill_n(&weights[static_cast<size_t>(((o / 2 * pairs + p) * 2 + o % 2) * 4)], 4,
                      pair);
        }
      }
    }
  }
};

// As engine/pixels.h takes them.
struct HalvedTaps {
  int64_t parts;
  std::vector<int32_t> first;
  std::vector<int8_t> halves;

  // Where there are loops, and outputs are of more pixels than the others add up faster.
  static bool Suit(const WholeTaps& t, int64_t inner) {
    if (ActivePixels() == nullptr || (inner != 3 && inner != 4)) return false;
    return MostOf(t) > 4 && std::ranges::max(t.whole) <= PixelLoops::kMostWeight;
  }
  HalvedTaps(const WholeTaps& t, int64_t inner)
      : parts((MostOf(t) + PixelLoops::kPixels - 1) / PixelLoops::kPixels) {
    const int64_t outputs =
        (t.outputs + PixelLoops::kOutputs - 1) / PixelLoops::kOutputs * PixelLoops::kOutputs;
    first.resize(static_cast<size_t>(outputs));
    halves.resize(static_cast<size_t>(outputs * parts * 2 * PixelLoops::kPixels));
    for (int64_t o = 0; o < t.outputs; ++o) {
      first[static_cast<size_t>(o)] = static_cast<int32_t>(t.begin(o) * inner);
      const int16_t* w = t.whole_weight(o);
      const int64_t count = t.end(o) - t.begin(o);
      for (int64_t i = 0; i < count; ++i) {
        const int64_t part = o * parts + i / PixelLoops::kPixels;
        int8_t* const to =
            &halves[static_cast<size_t>(part * 2 * PixelLoops::kPixels + i % PixelLoops::kPixels)];
        to[PixelLoops::kPixels] = static_cast<int8_t>(w[i]);
        to[0] = static_cast<int8_t>((w[i] - to[PixelLoops::kPixels]) / 256);
      }
    }
  }

 private:
  // Of all outputs; t.most may be one or two more.
  static int64_t MostOf(const WholeTaps& t) {
    int64_t most = 0;
    for (int64_t o = 0; o < t.outputs; ++o) most = std::max(most, t.end(o) - t.begin(o));
    return most;
  }
};

struct Bytes {
  int64_t inner;
  WholeTaps high, wide;
  // Where there are loops for such pixels: positions are 32 bits.
  std::optional<PairedTaps> paired;
  std::optional<HalvedTaps> halved;  // instead

  explicit Bytes(const Resampling& plan)
      : inner(plan.inner), high(plan.axis[1]), wide(plan.axis[2]) {
    if (padded() > INT32_MAX) return;
    if (HalvedTaps::Suit(wide, inner)) {
      halved.emplace(wide, inner);
    } else if (inner == 1 || inner == 3 || inner == 4) {
      paired.emplace(wide, inner);
    }
  }
  // A row with what loops may read behind it.
  int64_t padded() const {
    return (wide.inputs + wide.most + PixelLoops::kPixels) * inner +
           std::max(ByteLoops::kSlack, PixelLoops::kSlack);
  }

  // A row of the inputs to one of the outputs' width, of any pixels.
  void Across(uint8_t* to, const uint8_t* from) const {
    const int half = 1 << (wide.shift - 1);
    for (int64_t o = 0; o < wide.outputs; ++o, to += inner) {
      const int16_t* w = wide.whole_weight(o);
      const uint8_t* x = from + wide.begin(o) * inner;
      const int64_t count = wide.end(o) - wide.begin(o);
      for (int64_t c = 0; c < inner; ++c) {
        int sum = half;
        for (int64_t t = 0; t < count; ++t) sum += w[t] * x[t * inner + c];
        to[c] = static_cast<uint8_t>(f::RoundedByte(sum, wide.shift));
      }
    }
  }
  // Output rows first … last - 1 of a plane at `in`, of a tensor that ends at `end`.
  void Rows(uint8_t* out, const uint8_t* in, const uint8_t* end, int64_t first,
            int64_t last) const {
    const ByteLoops& loops = BytesOf();
    const int64_t n = wide.outputs * inner, top = std::min(high.begin(first), high.inputs),
                  length = wide.inputs * inner;
    const int64_t rows = std::max<int64_t>(0, std::min(high.end(last - 1), high.inputs) - top);
    const auto lines = std::make_unique_for_overwrite<uint8_t[]>(
        static_cast<size_t>(rows * n + PixelLoops::kSlack));
    std::vector<uint8_t> row;  // one with nothing behind it to read
    for (int64_t j = 0; j < rows; ++j) {
      const uint8_t* from = in + (top + j) * length;
      uint8_t* const to = lines.get() + j * n;
      if (!paired && !halved) {
        Across(to, from);
        continue;
      }
      if (end - from < padded()) {
        row.resize(static_cast<size_t>(padded()));
        std::copy_n(from, length, row.data());
        from = row.data();
      }
      if (halved) {
        ActivePixels()->across(
            to, from,
            {wide.outputs, halved->parts, halved->first.data(), halved->halves.data(), wide.shift},
            inner);
        continue;
      }
      loops.across(
          to, from,
          {wide.outputs, paired->pairs, paired->first.data(), paired->weights.data(), wide.shift},
          inner);
    }
    for (int64_t y = first; y < last; ++y) {
      const int64_t begin = high.begin(y);
      loops.down(out + y * n, lines.get() + (begin - top) * n, n, high.whole_weight(y),
                 high.end(y) - begin, high.shift);
    }
  }
};

}  // namespace

void Resampler::ResampleBytes(Call, const Resampling& plan, const Tensor& out, const Tensor& self) {
  const DType d = DType::kUInt8;
  const Tensor in = Dense(self, d);
  const Bytes bytes(plan);
  const int64_t height = bytes.high.outputs, width = bytes.wide.outputs * plan.inner,
                inputs = bytes.high.inputs * bytes.wide.inputs * plan.inner;
  IntoDense(out, d, [&](const Tensor& to) {
    const int64_t cost = width * (bytes.wide.most + bytes.high.most);
    ParallelFor(plan.planes * height, GrainOf(cost), [&](int64_t begin, int64_t end) {
      while (begin < end) {  // plane by plane
        const int64_t plane = begin / height, last = std::min(end, (plane + 1) * height);
        const uint8_t* const from = in.data<uint8_t>();
        bytes.Rows(to.data<uint8_t>() + plane * height * width, from + plane * inputs,
                   from + plan.planes * inputs, begin - plane * height, last - plane * height);
        begin = last;
      }
    });
  });
}

}  // namespace sy::cpu
