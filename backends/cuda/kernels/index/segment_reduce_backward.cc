#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/kernels/index/segments.h"
#include "switchyard/backends/common/combine.h"

namespace sy::cuda {
namespace {

void SegmentReduceBackward(Call call, const Tensor& out, const Tensor& grad, const Tensor& output,
                           const Tensor& data, std::string_view reduce, const Tensor& lengths,
                           const Tensor& offsets, int64_t axis,
                           const std::optional<Scalar>& initial) {
  SegmentArgs args{};
  const Tensor places =
      PlaceSegments(call, &args, data, grad.sizes()[axis], axis, lengths, offsets, false);
  if (out.numel() == 0) return;
  const DType d = out.dtype();
  const Tensor from = Dense(call, data, d), grads = Dense(call, grad, d),
               results = Dense(call, output, d);
  args.data = from.data();
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
