#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/kernels/index/segments.h"
#include "switchyard/backends/common/combine.h"

namespace sy::cuda {
namespace {

void SegmentReduce(Call call, const Tensor& out, const Tensor& data, std::string_view reduce,
                   const Tensor& lengths, const Tensor&, const Tensor& offsets, int64_t axis,
                   bool unsafe, const std::optional<Scalar>& initial) {
  SegmentArgs args{};
  const Tensor places =
      PlaceSegments(call, &args, data, out.sizes()[axis], axis, lengths, offsets, !unsafe);
  if (out.numel() == 0) return;
  const Tensor from = Dense(call, data, out.dtype());
  const SegmentReduction how = SegmentReductionOf(reduce);
  args.data = from.data();
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
