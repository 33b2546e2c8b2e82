// embedding, segment_reduce and frexp.

#include <cstring>
#include <limits>

#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/kernels/dense.h"
#include "backends/cuda/kernels/index.h"
#include "backends/cuda/kernels/run.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/transfer.h"
#include "switchyard/ops/index/segment_bounds.h"

namespace sy::cuda {
namespace {

void Embedding(Call call, const Tensor& out, const Tensor& weight, const Tensor& indices, int64_t,
               bool, bool) {
  const int64_t n = indices.numel(), d = weight.sizes()[1];
  const Tensor at = Dense(call, indices, indices.dtype());
  const int64_t count[] = {n}, one[] = {1}, sizes[] = {n, d}, strides[] = {d, 1};
  const Tensor flat = at.AsStrided(count, one, at.storage_offset());
  IntoDense(call, out, out.dtype(), [&](const Tensor& to) {
    GatherElements(call, to.AsStrided(sizes, strides, to.storage_offset()), weight, 0,
                   IndexOfSlices(flat, sizes, 0));
  });
}
const Kernel embedding{"embedding", "cuda", kAnyDType, Embedding};

// Which combination device/segment.h's SegmentReduce is to do.
int HowOf(std::string_view reduce) {
  return reduce == "sum" ? 0 : reduce == "mean" ? 1 : reduce == "min" ? 2 : reduce == "max" ? 3 : 4;
}
Scalar InitialOf(int how, const std::optional<Scalar>& initial) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kInitial[] = {0, 0, kInf, -kInf, 1};
  return initial ? *initial : Scalar(kInitial[how]);
}

// Where segments lie is checked on the host, which waits for it.
void SegmentReduce(Call call, const Tensor& out, const Tensor& data, std::string_view reduce,
                   const Tensor& lengths, const Tensor&, const Tensor& offsets, int64_t axis,
                   bool unsafe, const std::optional<Scalar>& initial) {
  axis = WrapDim(axis, data.dim());
  const auto along = static_cast<size_t>(axis);
  SegmentArgs args{};
  args.length = data.sizes()[along];
  args.segments = out.sizes()[along];
  args.batches = args.inner = 1;
  for (size_t d = 0; d < data.sizes().size(); ++d) {
    if (d < along) args.batches *= data.sizes()[d];
    if (d > along) args.inner *= data.sizes()[d];
  }
  const bool by_offsets = offsets.defined();
  const Tensor given = Dense(call, by_offsets ? offsets : lengths, DType::kInt64);
  const std::vector<int64_t> bounds = SegmentBounds(
      call.op(), ToHost(given), by_offsets, {args.batches, args.segments, args.length}, !unsafe);
  if (out.numel() == 0) return;
  const Tensor host = Tensor::Empty({static_cast<int64_t>(bounds.size())}, DType::kInt64);
  std::memcpy(host.data(), bounds.data(), host.nbytes());
  const Tensor places = FromHost(host, out.device());
  const Tensor from = Dense(call, data, out.dtype());
  const int how = HowOf(reduce);
  args.data = from.data();
  args.bounds = places.data();
  args.initial = ImmediateOf(InitialOf(how, initial), out.dtype());
  args.has_initial = initial.has_value();
  static constexpr DeviceFunction kSegments{"segment", "SegmentArgs", "SegmentReduce"};
  IntoDense(call, out, out.dtype(), [&](const Tensor& to) {
    args.out = to.data();
    RunDevice(call, kSegments, {out.dtype()}, {how}, BlocksFor(to.numel()), args);
  });
}
const Kernel segment_reduce{"segment_reduce", "cuda", kFloatingTypes, SegmentReduce};

void Frexp(Call call, const Tensor& mantissa, const Tensor& exponent, const Tensor& self) {
  RunFormula(call, *Formula("frexp_exponent"), exponent, {&self});
  RunFormula(call, *Formula("frexp_mantissa"), mantissa, {&self});
}
const Kernel frexp{"frexp.Tensor", "cuda", kFloatingTypes, Frexp};

}  // namespace
}  // namespace sy::cuda
