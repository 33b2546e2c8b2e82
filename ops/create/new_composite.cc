// new_zeros, new_ones and new_full by new_empty, filled; all of them into tensors that are given.

#include <optional>

#include "ops/create/filled_composite.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor NewFull(Call, const Tensor& self, IntSpan size, const Scalar& value, Optional<DType> dtype,
               Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory) {
  Tensor t = new_empty(self, size, dtype, layout, device, pin_memory);
  fill_(t, value);
  return t;
}
template <int kValue>
Tensor NewFilled(Call call, const Tensor& self, IntSpan size, Optional<DType> dtype,
                 Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory) {
  return NewFull(call, self, size, kValue, dtype, layout, device, pin_memory);
}
void NewEmptyOut(Call, const Tensor&, IntSpan size, const Tensor& out) { resize_(out, size); }
void NewEmptyStridedOut(Call call, const Tensor&, IntSpan size, IntSpan stride, const Tensor& out) {
  if (size.size() != stride.size()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"size ", size, " and stride ", stride, " differ in length"});
  }
  if (!SameSizes(out.sizes(), size)) internal::Resize(out.impl(), size, stride);
}
template <int kValue>
void NewFilledOut(Call call, const Tensor&, IntSpan size, const Tensor& out) {
  FilledOut<kValue>(call, size, out);
}
void NewFullOut(Call, const Tensor&, IntSpan size, const Scalar& value, const Tensor& out) {
  FillOut(out, size, std::nullopt, value);
}
const Composite new_full_body{"new_full", NewFull};
const Composite new_zeros_body{"new_zeros", NewFilled<0>};
const Composite new_ones_body{"new_ones", NewFilled<1>};
const Composite new_empty_out_body{"new_empty.out", NewEmptyOut};
const Composite new_empty_strided_out_body{"new_empty_strided.out", NewEmptyStridedOut};
const Composite new_zeros_out_body{"new_zeros.out", NewFilledOut<0>};
const Composite new_ones_out_body{"new_ones.out", NewFilledOut<1>};
const Composite new_full_out_body{"new_full.out", NewFullOut};

}  // namespace
}  // namespace sy
