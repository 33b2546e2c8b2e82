#include <algorithm>
#include <vector>

#include "switchyard/backends/common/combine.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/index/segment_bounds.h"

namespace sy::cpu {
namespace {

// The slices of a segment, at one inner position: n elements, `step` apart.
template <class T>
struct Line {
  using W = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const T* data;
  T* to;
  int64_t n, step;
  W grad, output;

  W At(int64_t k) const { return static_cast<W>(data[k * step]); }
  void Set(int64_t k, W value) const { to[k * step] = T(value); }

  void Same(W value) const {
    for (int64_t k = 0; k < n; ++k) Set(k, value);
  }
  // Shared only where it is positive: as ATen has it.
  void Extreme() const {
    const auto is = [&](W x) { return x != x || x == output; };
    int64_t count = 0;
    for (int64_t k = 0; k < n; ++k) count += is(At(k));
    const W part = count > 1 && grad > 0 ? grad / static_cast<W>(count) : grad;
    for (int64_t k = 0; k < n; ++k) Set(k, is(At(k)) ? part : W(0));
  }
  void Product(W initial) const {
    for (int64_t k = 0; k < n; ++k) {
      const W x = At(k);
      if (x == x && x != 0) {
        Set(k, grad * output / x);
        continue;
      }
      W others = initial;
      for (int64_t j = 0; j < n; ++j) {
        if (j != k) others *= At(j);
      }
      Set(k, grad * others);
    }
  }
  void Run(SegmentReduction how, W initial) const {
    switch (how) {
      case SegmentReduction::kMin:
      case SegmentReduction::kMax:
        return Extreme();
      case SegmentReduction::kProd:
        return Product(initial);
      case SegmentReduction::kMean:
        return Same(grad / static_cast<W>(n));
      default:
        return Same(grad);
    }
  }
};

void SegmentReduceBackward(Call call, const Tensor& out, const Tensor& grad, const Tensor& output,
                           const Tensor& data, std::string_view reduce, const Tensor& lengths,
                           const Tensor& offsets, int64_t axis,
                           const std::optional<Scalar>& initial) {
  const SegmentSizes sizes = SegmentSizesOf(data, grad.sizes()[axis], axis);
  const int64_t batches = sizes.batches, segments = sizes.segments, length = sizes.length,
                inner = sizes.inner;
  const bool by_offsets = offsets.defined();
  const std::vector<int64_t> bounds = SegmentBounds(
      call.op(), Dense(by_offsets ? offsets : lengths, DType::kInt64), by_offsets, sizes, false);
  if (out.numel() == 0) return;
  const DType d = out.dtype();
  const Tensor x = Contiguous(data), g = Contiguous(grad), y = Contiguous(output);
  const SegmentReduction how = SegmentReductionOf(reduce);
  IntoDense(out, d, [&](const Tensor& to) {
    FillElements(to, Scalar(0));
    VisitDType<kFloatingTypes>(d, [&](auto tag) {
      using T = typename decltype(tag)::type;
      using W = typename Line<T>::W;
      const W start = initial ? static_cast<W>(initial->To<double>()) : W(1);
      const int64_t average = length * inner / std::max<int64_t>(1, segments);
      const int64_t grain = std::max<int64_t>(1, (1 << 14) / std::max<int64_t>(1, average));
      ParallelFor(batches * segments, grain, [&](int64_t first, int64_t last) {
        for (int64_t s = first; s < last; ++s) {
          const int64_t batch = s / segments;
          const int64_t* bound = bounds.data() + batch * (segments + 1) + s % segments;
          const int64_t at = (batch * length + bound[0]) * inner;
          for (int64_t j = 0; j < inner && bound[1] > bound[0]; ++j) {
            const Line<T> line{x.data<T>() + at + j,
                               to.data<T>() + at + j,
                               bound[1] - bound[0],
                               inner,
                               static_cast<W>(g.data<T>()[s * inner + j]),
                               static_cast<W>(y.data<T>()[s * inner + j])};
            line.Run(how, start);
          }
        }
      });
    });
  });
}

const Kernel kernel{"_segment_reduce_backward", "cpu", kFloatingTypes, SegmentReduceBackward};

}  // namespace
}  // namespace sy::cpu
