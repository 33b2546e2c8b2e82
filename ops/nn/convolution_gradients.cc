#include "switchyard/ops/nn/convolution_gradients.h"

#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "switchyard/ops/nn/convolution_sizes.h"

namespace sy {

void RequireConvolutionGradient(std::string_view op, const TensorBase& grad_output,
                                const TensorBase& input, const TensorBase& weight, IntSpan stride,
                                IntSpan padding, IntSpan dilation, bool transposed,
                                IntSpan output_padding, int64_t groups,
                                std::span<const bool> output_mask) {
  int64_t room[5];
  const IntSpan sizes = ConvolutionSizes(op, input, weight, stride, padding, dilation, transposed,
                                         output_padding, groups, room);
  if (!SameSizes(grad_output.sizes(), sizes)) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"grad_output must have sizes ", sizes, ", got ", grad_output.sizes()});
  }
  const DType d = grad_output.dtype();
  if (input.dtype() != d || weight.dtype() != d) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"grad_output, input and weight must have one dtype, got ", d, ", ", input.dtype(),
          " and ", weight.dtype()});
  }
  if (!Contains(kFloatingTypes, d))
    Fail(ErrorCode::kNotImplemented, op, {"grad_output must be floating, got ", d});
  if (output_mask.size() != 3) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"output_mask must have 3 entries, got ", static_cast<int64_t>(output_mask.size())});
  }
}

MemoryFormat ConvolutionGradientFormat(const TensorBase& input, const TensorBase& weight) {
  const MemoryFormat x = input.suggest_memory_format(), w = weight.suggest_memory_format();
  const MemoryFormat format = x == MemoryFormat::kContiguous ? w : x;
  const DType d = input.dtype();
  if (input.dim() == 5 && d != DType::kFloat32 && d != DType::kBFloat16)
    return MemoryFormat::kContiguous;
  return format;
}

}  // namespace sy
