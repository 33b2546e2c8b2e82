// Windows of images as columns of matrices (device/columns.h): what im2col, col2im
// and convolutions share.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_COLUMNS_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_COLUMNS_H_

#include "backends/cuda/device/nn_args.h"
#include "switchyard/op/kernel.h"

namespace sy::cuda {

// Columns of each window of as many planes as args say.
void ToColumns(Call call, DType dtype, ColumnArgs args);
// The same with all samples side by side in each row.
void ToBatchColumns(Call call, DType dtype, BatchColumnArgs args);
// The transposed convolution of args, or the sums of its columns, which are rounded each time where
// `rounds`.
void ConvolveTransposed(Call call, DType dtype, ConvolutionArgs args, bool rounds);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_COLUMNS_H_
