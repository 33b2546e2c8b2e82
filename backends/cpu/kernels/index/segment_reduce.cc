// Source: ATen/native/SegmentReduce.cpp, which combines in the dtype of the data.
#include <cmath>
#include <limits>
#include <vector>

#include "switchyard/backends/common/combine.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/index/segment_bounds.h"

namespace sy::cpu {
namespace {

template <class W>
W Combined(SegmentReduction how, W a, W b) {
  switch (how) {
    case SegmentReduction::kMin:
      return b < a || b != b ? b : a;
    case SegmentReduction::kMax:
      return b > a || b != b ? b : a;
    case SegmentReduction::kProd:
      return a * b;
    default:
      return a + b;
  }
}

// Segments of each batch: `bounds` has one more entry than there are segments.
// data: [batches, length, inner] and out: [batches, segments, inner], contiguous.
template <class T>
void ReduceSegments(SegmentReduction how, bool has_initial, T initial, T* out, const T* data,
                    const int64_t* bounds, int64_t batches, int64_t segments, int64_t length,
                    int64_t inner) {
  using W = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const int64_t average = length * inner / std::max<int64_t>(1, segments);
  ParallelFor(batches * segments, std::max<int64_t>(1, (1 << 14) / std::max<int64_t>(1, average)),
              [&](int64_t first, int64_t last) {
                for (int64_t s = first; s < last; ++s) {
                  const int64_t batch = s / segments;
                  const int64_t* bound = bounds + batch * (segments + 1) + s % segments;
                  const int64_t n = bound[1] - bound[0];
                  T* to = out + s * inner;
                  std::fill_n(to, inner, initial);
                  for (int64_t k = bound[0]; k < bound[1]; ++k) {
                    const T* row = data + (batch * length + k) * inner;
                    for (int64_t j = 0; j < inner; ++j)
                      to[j] = T(Combined<W>(how, static_cast<W>(to[j]), static_cast<W>(row[j])));
                  }
                  for (int64_t j = 0; j < inner && how == SegmentReduction::kMean; ++j) {
                    if (n > 0) {
                      to[j] = T(static_cast<W>(to[j]) / static_cast<W>(T(static_cast<W>(n))));
                    } else if (!has_initial) {
                      to[j] = T(std::numeric_limits<W>::quiet_NaN());
                    }
                  }
                }
              });
}

void SegmentReduce(Call call, const Tensor& out, const Tensor& data, std::string_view reduce,
                   const Tensor& lengths, const Tensor&, const Tensor& offsets, int64_t axis,
                   bool unsafe, const std::optional<Scalar>& initial) {
  const SegmentSizes sizes = SegmentSizesOf(data, out.sizes()[axis], axis);
  const int64_t batches = sizes.batches, segments = sizes.segments, length = sizes.length,
                inner = sizes.inner;
  const bool by_offsets = offsets.defined();
  const std::vector<int64_t> bounds = SegmentBounds(
      call.op(), Dense(by_offsets ? offsets : lengths, DType::kInt64), by_offsets, sizes, !unsafe);
  if (out.numel() == 0) return;
  const Tensor from = Contiguous(data);
  const Tensor to = out.is_contiguous() ? out : Tensor::Empty(out.sizes(), out.dtype());
  const SegmentReduction how = SegmentReductionOf(reduce);
  VisitDType<kFloatingTypes>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Scalar start(InitialOf(how, initial));
    ReduceSegments<T>(how, initial.has_value(), start.To<T>(), to.data<T>(), from.data<T>(),
                      bounds.data(), batches, segments, length, inner);
  });
  if (!to.is_same(out)) CopyElements(out, to);
}

const Kernel kernel{"segment_reduce", "cpu", kFloatingTypes, SegmentReduce};

}  // namespace
}  // namespace sy::cpu
