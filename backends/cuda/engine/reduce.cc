#include "backends/cuda/engine/reduce.h"

#include "backends/cuda/engine/counters.h"
#include "backends/cuda/engine/launch.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

constexpr int64_t kStateBytes = 32;  // the largest state: of moments, or a complex number's
constexpr int kReduceThreads = 256;  // as device/reduce.h's

}  // namespace

void Reduce(Call call, const Reduction& reduction, DType dtype, const Tensor& self, uint64_t mask,
            const Tensor* first, const Tensor* second, const ReduceFinish& finish) {
  ReduceSpaces w = SpacesOf(self, mask, first, second);
  const int64_t outputs = w.kept.numel(), count = w.reduced.numel();
  if (outputs == 0) return;
  if (w.kept.rank > kMaxDims || w.reduced.rank > kMaxDims) {
    Fail(ErrorCode::kNotImplemented, call.op(),
         {"more than ", kMaxDims, " dimensions that cannot be merged: strides ", self.strides()});
  }
  const int64_t item = static_cast<int64_t>(self.itemsize());
  const bool across =
      w.kept.operands[0].strides[0] == item && w.reduced.operands[0].strides[0] != item;
  CudaStream& stream = StreamOf(call.key);
  const Properties& p = stream.state().properties();
  const ReduceShape shape =
      ChooseReduceShape(outputs, count, across, int64_t{p.multiprocessors} * p.max_threads);

  ReduceArgs args{};
  const bool wide = !w.kept.is_narrow() || !w.reduced.is_narrow();
  const Layout layout{.flat = false, .wide = wide, .each = 1, .stride_kinds = {}};
  FillSpace(w.kept, layout, args.kept);
  FillSpace(w.reduced, layout, args.reduced);
  args.in = self.data();
  args.out[0] = first == nullptr ? nullptr : first->data();
  args.out[1] = second == nullptr ? nullptr : second->data();
  args.parameter = finish.parameter;
  args.chunks = shape.chunks;
  // Chunks begin where 16 bytes of elements of any size do.
  constexpr int64_t kUnit = 16;
  args.chunk = (count + shape.chunks - 1) / shape.chunks;
  if (shape.chunks > 1) args.chunk = (args.chunk + kUnit - 1) / kUnit * kUnit;
  Tensor states;
  if (shape.chunks > 1) {
    states = Tensor::Empty({outputs * shape.chunks * kStateBytes}, DType::kUInt8, self.device());
    args.states = states.data();
    if (shape.lanes == kReduceThreads && outputs <= kCounters) args.counters = CountersOf(stream);
  }

  const DType type0 = first == nullptr ? DType::kInt64 : first->dtype(),
              type1 = second == nullptr ? DType::kInt64 : second->dtype();
  const auto launch = [&](const ReduceForm& form, const Grid& grid) {
    const auto number = [](auto x) { return static_cast<uint64_t>(x); };
    const KernelKey key{
        reduction.type,
        {number(dtype) << 48 | number(self.dtype()) << 32 | number(type0) << 16 | number(type1),
         number(finish.kind),
         number(form.each) << 16 | number(form.lanes) << 2 | uint64_t{form.states} << 1 |
             uint64_t{form.wide}}};
    const auto text = [&] {
      return ReduceSource(reduction, finish.kind, dtype, self.dtype(), type0, type1, form);
    };
    Launch(call, key, text, grid, args);
  };
  const auto blocks = [&](int lanes) {
    return (outputs * lanes + kReduceThreads - 1) / kReduceThreads;
  };
  launch({shape.lanes, SideBySide(w, shape.lanes), wide},
         {blocks(shape.lanes), kReduceThreads, shape.chunks});
  if (shape.chunks == 1 || args.counters != nullptr) return;
  const int lanes = LanesOfStates(shape.lanes);
  launch({lanes, 0, wide, /*states=*/true}, {blocks(lanes), kReduceThreads});
}

}  // namespace sy::cuda
