// What is left of each element after quantisation to integers and back: x / scale rounded, plus
// zero_point, limited to [quant_min, quant_max], minus zero_point, times scale. The _cachemask
// forms give a mask too, of elements that are not limited, by which their _backward forms pass grad
// on.
//   self, grad: floating; scale, zero_point: numbers, tensors of one element, or tensors of one
//   number for each position of `axis`: scale float32 or bfloat16, zero_point int32, float32 or
//   float16   →   like self; mask: bool
// Errors: kInvalidArgument for a zero_point outside [quant_min, quant_max], an empty range, or
// sizes and dtypes that do not fit; kNotImplemented for elements that are not floating.
// Example: sy::fake_quantize_per_tensor_affine(x, 0.1, 0, -128, 127)
// Source: ATen fake_quantize_per_tensor_affine, fake_quantize_per_channel_affine, their _cachemask
// and _cachemask_backward forms.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator fake_quantize_per_tensor_affine_op{
    "fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, int quant_min, int "
    "quant_max) -> Tensor",
    KeyRule::kFirst};
const Operator fake_quantize_per_tensor_affine_tensor_qparams_op{
    "fake_quantize_per_tensor_affine.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, "
    "int quant_min, int quant_max) -> Tensor",
    KeyRule::kFirst};
const Operator fake_quantize_per_tensor_affine_cachemask_op{
    "fake_quantize_per_tensor_affine_cachemask(Tensor self, float scale, int zero_point, int "
    "quant_min, int quant_max) -> (Tensor output, Tensor mask)",
    KeyRule::kFirst,
    Out("fake_quantize_per_tensor_affine_cachemask.out(Tensor self, float scale, int zero_point, "
        "int quant_min, int quant_max, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), "
        "Tensor(b!))") |
        Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};
const Operator fake_quantize_per_tensor_affine_cachemask_backward_op{
    "fake_quantize_per_tensor_affine_cachemask_backward(Tensor grad, Tensor mask) -> Tensor",
    KeyRule::kFirst};
const Operator fake_quantize_per_channel_affine_op{
    "fake_quantize_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, int axis, int "
    "quant_min, int quant_max) -> Tensor",
    KeyRule::kFirst};
const Operator fake_quantize_per_channel_affine_cachemask_op{
    "fake_quantize_per_channel_affine_cachemask(Tensor self, Tensor scale, Tensor zero_point, int "
    "axis, int quant_min, int quant_max) -> (Tensor output, Tensor mask)",
    KeyRule::kFirst,
    Out("fake_quantize_per_channel_affine_cachemask.out(Tensor self, Tensor scale, Tensor "
        "zero_point, int axis, int quant_min, int quant_max, *, Tensor(a!) out0, Tensor(b!) out1) "
        "-> (Tensor(a!), Tensor(b!))") |
        Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};
const Operator fake_quantize_per_channel_affine_cachemask_backward_op{
    "fake_quantize_per_channel_affine_cachemask_backward(Tensor grad, Tensor mask) -> Tensor",
    KeyRule::kFirst};

}  // namespace sy
