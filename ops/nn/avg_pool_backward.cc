// What pools of averages pass back: each element of self gets, of every window that it is in, the
// window's gradient by the number that its sum was divided by.
//   grad_output: sizes and dtype of the pool's result; self: what was pooled, and the arguments
//   that it was pooled with (avg_pool.cc)   →   sizes and dtype of self
// Errors: kInvalidArgument for what the pool refuses, and a grad_output of other sizes or another
// dtype; kNotImplemented for other dtypes.
// Example: sy::avg_pool2d_backward(y, x, {2, 2}, {2, 2}, {0, 0}, false, true, std::nullopt)
// Source: ATen avg_pool2d_backward, avg_pool3d_backward, _adaptive_avg_pool2d_backward,
// _adaptive_avg_pool3d_backward, adaptive_avg_pool3d_backward.
#include "switchyard/ops/nn/window_backward.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

constexpr int64_t kOne[] = {1};

// Channels last in two dimensions alone, as ATen has it.
void OutputOf(ShapeContext& r, const TensorBase& grad_output, const TensorBase& self, int dims) {
  RequireSameDType(r, grad_output, self, "grad_output", "self");
  OutputInFormat(r, self.sizes(), self.dtype(),
                 dims == 2 ? self.suggest_memory_format() : MemoryFormat::kContiguous);
}

template <int kDims>
void AvgPoolShape(ShapeContext& r, const TensorBase& grad_output, const TensorBase& self,
                  IntSpan kernel_size, IntSpan stride, IntSpan padding, bool ceil_mode,
                  bool /*count_include_pad*/, Optional<int64_t> divisor_override) {
  const Window w =
      Window::OfPool(r.op(), self, kDims, kernel_size, stride, padding, kOne, ceil_mode);
  if (divisor_override && *divisor_override == 0) r.Fail({"divisor_override must not be 0"});
  RequirePooled(r.op(), "grad_output", grad_output, self, w);
  RequireDType(r, self, kFloatingTypes | Bit(DType::kInt64));
  OutputOf(r, grad_output, self, kDims);
}

template <int kDims>
void AdaptiveShape(ShapeContext& r, const TensorBase& grad_output, const TensorBase& self) {
  AdaptiveWindowOf(r.op(), grad_output, self, kDims);
  RequireDType(r, self, kFloatingTypes);
  OutputOf(r, grad_output, self, kDims);
}

}  // namespace

const Operator avg_pool2d_backward_op{
    "avg_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, "
    "int[2] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor",
    AvgPoolShape<2>,
    Out("avg_pool2d_backward.grad_input(Tensor grad_output, Tensor self, int[2] kernel_size, "
        "int[2] stride, int[2] padding, bool ceil_mode, bool count_include_pad, int? "
        "divisor_override, *, Tensor(a!) grad_input) -> Tensor(a!)")};
const Operator avg_pool3d_backward_op{
    "avg_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, "
    "int[3] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor",
    AvgPoolShape<3>,
    Out("avg_pool3d_backward.grad_input(Tensor grad_output, Tensor self, int[3] kernel_size, "
        "int[3] stride, int[3] padding, bool ceil_mode, bool count_include_pad, int? "
        "divisor_override, *, Tensor(a!) grad_input) -> Tensor(a!)")};
const Operator adaptive_avg_pool2d_backward_op{
    "_adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self) -> Tensor", AdaptiveShape<2>,
    kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator adaptive_avg_pool3d_backward_op{
    "_adaptive_avg_pool3d_backward(Tensor grad_output, Tensor self) -> Tensor", AdaptiveShape<3>,
    kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator adaptive_avg_pool3d_backward_into_op{
    "adaptive_avg_pool3d_backward.grad_input(Tensor grad_output, Tensor self, *, Tensor(a!) "
    "grad_input) -> Tensor(a!)"};

}  // namespace sy
