// Scans along lines as in device/lines.h, whose blocks add up by CUB: which of both is used is
// measured.
//
// Source: cub::BlockScan, https://nvidia.github.io/cccl/cub/.
// NVRTC alone compiles this header, where CUB's headers are found.
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_CUB_LINES_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_CUB_LINES_H_

#include <cub/block/block_scan.cuh>

#define SY_CUB_SCAN
#include "switchyard/backends/cuda/device/lines.h"

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_CUB_LINES_H_
