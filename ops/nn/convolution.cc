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
#include <algorithm>

#include "switchyard/core/checked.h"
#include "switchyard/ops/nn/window.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

constexpr DTypeMask kConvolved = kIntegerTypes | kFloatingTypes | kComplexTypes;

// The i-th entry of a list of one number, or one a dimension, from `least` to `most`.
int64_t Entry(const ShapeContext& r, std::string_view name, IntSpan list, int64_t dims, int64_t i,
              int64_t least, int64_t most = INT64_MAX) {
  if (list.size() != 1 && list.size() != static_cast<size_t>(dims))
    r.Fail({name, " must have 1 or ", dims, " entries, got ", list});
  const int64_t entry = list[list.size() == 1 ? 0 : static_cast<size_t>(i)];
  if (entry < least) r.Fail({name, " must be at least ", least, ", got ", list});
  if (entry > most) r.Fail({name, " must be at most ", most, ", got ", list});
  return entry;
}

// (in - 1) stride + rest. Errors: past 2^63 - 1.
int64_t Spread(const ShapeContext& r, int64_t in, IntSpan strides, int64_t stride, int64_t rest) {
  int64_t size = 0;
  if (__builtin_mul_overflow(in - 1, stride, &size) || __builtin_add_overflow(size, rest, &size))
    r.Fail({"the output is too large for stride ", strides});
  return size;
}

void ConvolutionShapeFunction(ShapeContext& r, const TensorBase& input, const TensorBase& weight,
                              const TensorBase& bias, IntSpan stride, IntSpan padding,
                              IntSpan dilation, bool transposed, IntSpan output_padding,
                              int64_t groups) {
  const int64_t rank = weight.dim(), dims = rank - 2;
  if (dims < 1 || dims > 3 || input.dim() != rank) {
    r.Fail({"input and weight must both have 3, 4 or 5 dimensions, got sizes ", input.sizes(),
            " and ", weight.sizes()});
  }
  if (groups <= 0) r.Fail({"groups must be positive, got ", groups});
  const IntSpan w = weight.sizes(), x = input.sizes();
  if (w[0] < groups || w[0] % groups != 0) {
    r.Fail({"weight's first size must be a multiple of groups ", groups, ", got sizes ", w});
  }
  const int64_t wanted = transposed ? w[0] : w[1] * groups;
  const int64_t outputs = transposed ? w[1] * groups : w[0];
  if (x[1] != wanted) {
    r.Fail({"input must have ", wanted, " channels for weight ", w, " and groups ", groups,
            ", got sizes ", x});
  }
  RequireDType(r, input, kConvolved, "input");
  RequireSameDType(r, input, weight, "input", "weight");
  if (bias.defined()) {
    RequireSameDType(r, input, bias, "input", "bias");
    if (bias.dim() != 1 || bias.numel() != outputs)
      r.Fail({"bias must be a vector of ", outputs, " elements, got sizes ", bias.sizes()});
  }
  int64_t* sizes = r.Ints(rank);
  sizes[0] = x[0];
  sizes[1] = outputs;
  for (int64_t d = 0; d < dims; ++d) {
    const int64_t s = Entry(r, "stride", stride, dims, d, 1),
                  p = Entry(r, "padding", padding, dims, d, 0, kMostPadding),
                  spread = Entry(r, "dilation", dilation, dims, d, 1),
                  more = Entry(r, "output_padding", output_padding, dims, d, 0, kMostPadding);
    const int64_t extent = WindowExtent(w[d + 2], spread), in = x[d + 2];
    if (transposed) {
      if (more >= s && more >= spread) {
        r.Fail({"output_padding must be below stride or dilation, got ", output_padding, ", ",
                stride, " and ", dilation});
      }
      sizes[d + 2] = Spread(r, in, stride, s, extent + more - 2 * p);
      if (sizes[d + 2] < 1) r.Fail({"padding ", padding, " leaves nothing of the output"});
    } else {
      const int64_t padded = CheckedSum(r, "the padded size", in, 2 * p);
      if (w[d + 2] < 1 || padded < extent) {
        r.Fail({"kernels of weight ", w, " do not fit into input ", x, " with padding ", padding});
      }
      sizes[d + 2] = (padded - extent) / s + 1;
    }
  }
  OutputInFormat(r, {sizes, static_cast<size_t>(rank)}, input.dtype(),
                 input.suggest_memory_format());
}

}  // namespace

const Operator convolution_op{
    "convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, "
    "SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> Tensor",
    ConvolutionShapeFunction, kOut};

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
