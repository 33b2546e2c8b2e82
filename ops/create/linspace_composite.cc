// linspace and logspace of numbers that tensors hold, and into tensors that are given.

#include <optional>
#include <string_view>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Scalar NumberOf(Call call, std::string_view name, const Tensor& t) {
  if (t.dim() != 0) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {name, " must be a number or a 0-d tensor, got sizes ", t.sizes()});
  }
  return item(t);
}
Scalar NumberOf(Call, std::string_view, const Scalar& s) { return s; }

template <class Start, class End>
Tensor Linspace(Call call, const Start& start, const End& end, int64_t steps, Optional<DType> dtype,
                Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory) {
  return linspace(NumberOf(call, "start", start), NumberOf(call, "end", end), steps, dtype, layout,
                  device, pin_memory);
}
template <class Start, class End>
Tensor Logspace(Call call, const Start& start, const End& end, int64_t steps, double base,
                Optional<DType> dtype, Optional<Layout> layout, Optional<Device> device,
                Optional<bool> pin_memory) {
  return logspace(NumberOf(call, "start", start), NumberOf(call, "end", end), steps, base, dtype,
                  layout, device, pin_memory);
}
const Composite linspace_tensors_body{"linspace.Tensor_Tensor", Linspace<Tensor, Tensor>};
const Composite linspace_tensor_number_body{"linspace.Tensor_Scalar", Linspace<Tensor, Scalar>};
const Composite linspace_number_tensor_body{"linspace.Scalar_Tensor", Linspace<Scalar, Tensor>};
const Composite logspace_tensors_body{"logspace.Tensor_Tensor", Logspace<Tensor, Tensor>};
const Composite logspace_tensor_number_body{"logspace.Tensor_Scalar", Logspace<Tensor, Scalar>};
const Composite logspace_number_tensor_body{"logspace.Scalar_Tensor", Logspace<Scalar, Tensor>};

void Store(const Tensor& out, const Tensor& numbers) {
  if (out.numel() != numbers.numel()) resize_(out, numbers.sizes());
  copy_(out, view(numbers, out.sizes()));
}
template <class Start, class End>
void LinspaceOut(Call call, const Start& start, const End& end, int64_t steps, const Tensor& out) {
  Store(out,
        Linspace(call, start, end, steps, out.dtype(), std::nullopt, out.device(), std::nullopt));
}
template <class Start, class End>
void LogspaceOut(Call call, const Start& start, const End& end, int64_t steps, double base,
                 const Tensor& out) {
  Store(out, Logspace(call, start, end, steps, base, out.dtype(), std::nullopt, out.device(),
                      std::nullopt));
}
const Composite linspace_out_body{"linspace.out", LinspaceOut<Scalar, Scalar>};
const Composite logspace_out_body{"logspace.out", LogspaceOut<Scalar, Scalar>};
const Composite linspace_tensors_out_body{"linspace.Tensor_Tensor_out",
                                          LinspaceOut<Tensor, Tensor>};
const Composite linspace_tensor_number_out_body{"linspace.Tensor_Scalar_out",
                                                LinspaceOut<Tensor, Scalar>};
const Composite linspace_number_tensor_out_body{"linspace.Scalar_Tensor_out",
                                                LinspaceOut<Scalar, Tensor>};
const Composite logspace_tensors_out_body{"logspace.Tensor_Tensor_out",
                                          LogspaceOut<Tensor, Tensor>};
const Composite logspace_tensor_number_out_body{"logspace.Tensor_Scalar_out",
                                                LogspaceOut<Tensor, Scalar>};
const Composite logspace_number_tensor_out_body{"logspace.Scalar_Tensor_out",
                                                LogspaceOut<Scalar, Tensor>};

}  // namespace
}  // namespace sy
