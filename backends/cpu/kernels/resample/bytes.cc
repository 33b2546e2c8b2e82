// 8-bit images, in integers: along rows first, then across them, rounded each time, as ATen's are.
#include <algorithm>
#include <vector>

#include "backends/cpu/kernels/resample/resampler.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/parallel.h"

namespace sy::cpu {
namespace {

struct WholeTaps : Taps<double> {
  int shift;
  std::vector<int> whole;

  explicit WholeTaps(const f::ResampleAxis& a) : Taps(a), shift(ShiftOf(*this)) {
    for (const double w : weights) whole.push_back(f::WholeWeight(w, shift));
  }
  const int* whole_weight(int64_t o) const { return &whole[static_cast<size_t>(o * most)]; }
  int half() const { return 1 << (shift - 1); }
};

struct Bytes {
  int64_t inner;
  WholeTaps high, wide;

  // A row of the inputs to one of the outputs' width. kInner: `inner`, 0: any.
  template <int kInner>
  void Across(uint8_t* to, const uint8_t* from) const {
    const int64_t step = kInner != 0 ? kInner : inner, most = wide.most;
    const int *w = wide.whole.data(), half = wide.half(), shift = wide.shift;
    const long long* span = wide.spans.data();
    for (int64_t o = 0; o < wide.outputs; ++o, to += step, w += most, span += 2) {
      const uint8_t* x = from + span[0] * step;
      const int64_t count = span[1] - span[0];
      for (int64_t c = 0; c < step; ++c) {
        int sum = half;
        for (int64_t t = 0; t < count; ++t) sum += w[t] * x[t * step + c];
        to[c] = static_cast<uint8_t>(f::RoundedByte(sum, shift));
      }
    }
  }
  void Line(uint8_t* to, const uint8_t* from) const {
    switch (inner) {
      case 1:
        return Across<1>(to, from);
      case 3:
        return Across<3>(to, from);
      case 4:
        return Across<4>(to, from);
      default:
        return Across<0>(to, from);
    }
  }
  // Output rows first … last - 1 of a plane.
  void Rows(uint8_t* out, const uint8_t* in, int64_t first, int64_t last) const {
    const int64_t n = wide.outputs * inner, top = std::min(high.begin(first), high.inputs);
    const int64_t rows = std::max<int64_t>(0, std::min(high.end(last - 1), high.inputs) - top);
    std::vector<uint8_t> lines(static_cast<size_t>(rows * n));
    std::vector<int> sums(static_cast<size_t>(n));
    for (int64_t j = 0; j < rows; ++j)
      Line(lines.data() + j * n, in + (top + j) * wide.inputs * inner);
    for (int64_t y = first; y < last; ++y) {
      const int* w = high.whole_weight(y);
      std::fill(sums.begin(), sums.end(), high.half());
      for (int64_t j = high.begin(y); j < high.end(y); ++j, ++w) {
        const uint8_t* line = lines.data() + (j - top) * n;
        for (int64_t k = 0; k < n; ++k) sums[static_cast<size_t>(k)] += *w * line[k];
      }
      for (int64_t k = 0; k < n; ++k) {
        const int sum = sums[static_cast<size_t>(k)];
        out[y * n + k] = static_cast<uint8_t>(f::RoundedByte(sum, high.shift));
      }
    }
  }
};

}  // namespace

void Resampler::ResampleBytes(Call, const Resampling& plan, const Tensor& out, const Tensor& self) {
  const DType d = DType::kUInt8;
  const Tensor in = Dense(self, d);
  const Bytes bytes{plan.inner, WholeTaps(plan.axis[1]), WholeTaps(plan.axis[2])};
  const int64_t height = bytes.high.outputs, width = bytes.wide.outputs * plan.inner,
                inputs = bytes.high.inputs * bytes.wide.inputs * plan.inner;
  IntoDense(out, d, [&](const Tensor& to) {
    const int64_t cost = width * (bytes.wide.most + bytes.high.most);
    ParallelFor(plan.planes * height, GrainOf(cost), [&](int64_t begin, int64_t end) {
      while (begin < end) {  // plane by plane
        const int64_t plane = begin / height, last = std::min(end, (plane + 1) * height);
        bytes.Rows(to.data<uint8_t>() + plane * height * width, in.data<uint8_t>() + plane * inputs,
                   begin - plane * height, last - plane * height);
        begin = last;
      }
    });
  });
}

}  // namespace sy::cpu
