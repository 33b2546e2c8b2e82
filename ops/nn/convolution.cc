// Convolution of images with kernels that slide over the 1 to 3 last dimensions: each output is a
// sum over channels and a kernel's elements; transposed: each input adds the kernel to the output.
//   input: [n, c, ..], weight: [o, c / groups, ..], transposed: [c, o / groups, ..], bias: [o] or
//   absent; one dtype, not bool; stride, padding, dilation, output_padding: one number or one a
//   dimension. conv1d … conv3d and conv_transpose1d … conv_transpose3d also take [c, ..]
//   →   [n, o, ..], sizes (in + 2 padding - dilation (kernel - 1) - 1) / stride + 1, rounded down;
//   transposed: (in - 1) stride - 2 padding + dilation (kernel - 1) + output_padding + 1
// padding "valid" is none, "same" what leaves the sizes as they are, for a stride of 1.
// Errors: kInvalidArgument when ranks, channels, dtypes or numbers do not fit, and for kernels
// larger than the padded input.
// Example: sy::conv2d(x, y)
// Source: ATen convolution, conv1d, conv2d, conv3d, conv_transpose1d, conv_transpose2d,
// conv_transpose3d.
#include "switchyard/ops/nn/convolution_sizes.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

constexpr DTypeMask kConvolved = kIntegerTypes | kFloatingTypes | kComplexTypes;

void ConvolutionShapeFunction(ShapeContext& r, const TensorBase& input, const TensorBase& weight,
                              const TensorBase& bias, IntSpan stride, IntSpan padding,
                              IntSpan dilation, bool transposed, IntSpan output_padding,
                              int64_t groups) {
  int64_t* sizes = r.Ints(5);
  const IntSpan result = ConvolutionSizes(r.op(), input, weight, stride, padding, dilation,
                                          transposed, output_padding, groups, sizes);
  RequireDType(r, input, kConvolved, "input");
  RequireSameDType(r, input, weight, "input", "weight");
  if (bias.defined()) {
    RequireSameDType(r, input, bias, "input", "bias");
    if (bias.dim() != 1 || bias.numel() != result[1])
      r.Fail({"bias must be a vector of ", result[1], " elements, got sizes ", bias.sizes()});
  }
  OutputInFormat(r, result, input.dtype(), input.suggest_memory_format());
}

}  // namespace

const Operator convolution_op{
    "convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, "
    "SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> Tensor",
    ConvolutionShapeFunction, kOut | Tags(OperatorTag::kRowMajorOut)};

const Operator conv1d_op{
    "conv1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1], SymInt[1] "
    "padding=[0], SymInt[1] dilation=[1], SymInt groups=1) -> Tensor"};
const Operator conv2d_op{
    "conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] "
    "padding=[0, 0], SymInt[2] dilation=[1, 1], SymInt groups=1) -> Tensor"};
const Operator conv3d_op{
    "conv3d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] "
    "padding=[0, 0, 0], SymInt[3] dilation=[1, 1, 1], SymInt groups=1) -> Tensor"};
const Operator conv1d_padding_op{
    "conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1], str "
    "padding=\"valid\", SymInt[1] dilation=[1], SymInt groups=1) -> Tensor"};
const Operator conv2d_padding_op{
    "conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, 1], str "
    "padding=\"valid\", SymInt[2] dilation=[1, 1], SymInt groups=1) -> Tensor"};
const Operator conv3d_padding_op{
    "conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], "
    "str padding=\"valid\", SymInt[3] dilation=[1, 1, 1], SymInt groups=1) -> Tensor"};
const Operator conv_transpose1d_op{
    "conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1], "
    "SymInt[1] padding=[0], SymInt[1] output_padding=[0], SymInt groups=1, SymInt[1] dilation=[1]) "
    "-> Tensor"};
const Operator conv_transpose2d_op{
    "conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, "
    "1], SymInt[2] padding=[0, 0], SymInt[2] output_padding=[0, 0], SymInt groups=1, SymInt[2] "
    "dilation=[1, 1]) -> Tensor"};
const Operator conv_transpose3d_op{
    "conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, "
    "1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] output_padding=[0, 0, 0], SymInt groups=1, "
    "SymInt[3] dilation=[1, 1, 1]) -> Tensor"};

}  // namespace sy
