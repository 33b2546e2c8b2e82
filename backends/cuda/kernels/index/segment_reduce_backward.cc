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
void SegmentReduceBackward(Call call, const Tensor& out, const Tensor& grad, const Tensor& output,
                           const Tensor& data, std::string_view reduce, const Tensor& lengths,
                           const Tensor& offsets, int64_t axis,
                           const std::optional<Scalar>& initial) {
  const auto along = static_cast<size_t>(axis);
  SegmentArgs args{};
  args.length = data.sizes()[along];
  args.segments = grad.sizes()[along];
  args.batches = args.inner = 1;
  for (size_t d = 0; d < data.sizes().size(); ++d) {
    if (d < along) args.batches *= data.sizes()[d];
    if (d > along) args.inner *= data.sizes()[d];
  }
  const bool by_offsets = offsets.defined();
  const Tensor given = Dense(call, by_offsets ? offsets : lengths, DType::kInt64);
  const std::vector<int64_t> bounds = SegmentBounds(
      call.op(), ToHost(given), by_offsets, {args.batches, args.segments, args.length}, false);
  if (out.numel() == 0) return;
  const DType d = out.dtype();
  const Tensor host = Tensor::Empty({static_cast<int64_t>(bounds.size())}, DType::kInt64);
  std::memcpy(host.data(), bounds.data(), host.nbytes());
  const Tensor places = FromHost(host, out.device()), from = Dense(call, data, d),
               grads = Dense(call, grad, d), results = Dense(call, output, d);
  args.data = from.data();
  args.bounds = places.data();
  args.grad = grads.data();
  args.output = results.data();
  args.initial = ImmediateOf(initial ? *initial : Scalar(1), d);
  IntoDense(call, out, d, [&](const Tensor& to) {
    FillElements(call, to, Scalar(0));
    args.out = to.data();
    Launch(call,
           Specialised("segment", "SegmentArgs", "SegmentReduceBackward")
               .Element(d)
               .Number(static_cast<int>(SegmentReductionOf(reduce))),
           BlocksFor(args.batches * args.segments * args.inner), args);
  });
}
const Kernel segment_reduce_backward{"_segment_reduce_backward", "cuda", kFloatingTypes,
                                     SegmentReduceBackward};

}  // namespace
}  // namespace sy::cuda
