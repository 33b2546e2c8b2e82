// Convolutions by oneDNN, of float32 and, on processors that have instructions for it, bfloat16.
//
// It runs in the calling thread alone; callers cut the work into blocks.
// Owns: nothing.
// Threads: any.
// Errors: OneDnnConvolution gives false, with nothing written, where the library is not installed
// or has no such convolution; kInternal when it fails later.
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
  int64_t output_step;  // elements between samples of the output
};

// input: [samples, in_channels, inputs], weight: [out_channels, in_channels / groups, kernel],
// bias: float32 [out_channels] or null, output: [samples, out_channels, outputs]; row-major.
bool OneDnnConvolution(const ConvolutionShape& shape, const void* input, const void* weight,
                       const float* bias, void* output);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_ONEDNN_CONVOLUTION_H_
