#include <cstring>

#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "switchyard/backends/common/combine.h"
#include "switchyard/core/transfer.h"
#include "switchyard/ops/index/segment_bounds.h"

namespace sy::cuda {
namespace {

// Where segments lie is checked on the host, which waits for it.
void SegmentReduce(Call call, const Tensor& out, const Tensor& data, std::string_view reduce,
                   const Tensor& lengths, const Tensor&, const Tensor& offsets, int64_t axis,
                   bool unsafe, const std::optional<Scalar>& initial) {
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
  const SegmentReduction how = SegmentReductionOf(reduce);
  args.data = from.data();
  args.bounds = places.data();
  args.initial = ImmediateOf(Scalar(InitialOf(how, initial)), out.dtype());
  args.has_initial = initial.has_value();
  IntoDense(call, out, out.dtype(), [&](const Tensor& to) {
    args.out = to.data();
    Launch(call,
           Specialised("segment", "SegmentArgs", "SegmentReduce")
               .Element(out.dtype())
               .Number(static_cast<int>(how)),
           BlocksFor(to.numel()), args);
  });
}
const Kernel segment_reduce{"segment_reduce", "cuda", kFloatingTypes, SegmentReduce};

}  // namespace
}  // namespace sy::cuda
