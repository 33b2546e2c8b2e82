// Convolutions by oneDNN, of float32 and, on processors that have instructions for it, bfloat16;
// and what they pass back, of float32.
//
// It runs in the calling thread alone; callers cut the work into blocks.
// Owns: nothing.
// Threads: any.
// Errors: each gives false, with nothing written, where the library is not installed or has no such
// convolution; kInternal when it fails later.
#ifndef SWITCHYARD_BACKENDS_CPU_BLAS_ONEDNN_CONVOLUTION_H_
#define SWITCHYARD_BACKENDS_CPU_BLAS_ONEDNN_CONVOLUTION_H_

#include <cstdint>

namespace sy::cpu {

// Sizes of the last `dims` dimensions are the last entries of the arrays.
struct ConvolutionShape {
  bool bfloat16;  // else float32
  int dims;
  int64_t samples, groups, in_channels, out_channels;  // channels: of all groups
  int64_t inputs[3], outputs[3], kernel[3], stride[3], padding[3], dilation[3];
  // Elements between samples of the input and of the output, and, of one group, between output
  // channels of the weight; 0: none but theirs.
  int64_t input_step, output_step, weight_step;
};

// input: [samples, in_channels, inputs], weight: [out_channels, in_channels / groups, kernel],
// bias: float32 [out_channels] or null, output: [samples, out_channels, outputs]; row-major.
bool OneDnnConvolution(const ConvolutionShape& shape, const void* input, const void* weight,
                       const float* bias, void* output);
// The gradients of input and weight, from that of the output.
bool OneDnnConvolutionToInput(const ConvolutionShape& shape, void* grad_input, const void* weight,
                              const void* grad_output);
bool OneDnnConvolutionToWeight(const ConvolutionShape& shape, const void* input, void* grad_weight,
                               const void* grad_output);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_ONEDNN_CONVOLUTION_H_
