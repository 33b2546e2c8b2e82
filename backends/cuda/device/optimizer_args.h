// What a step of an optimiser is launched with.
//
// The host and NVRTC compile this header.
// Owns: nothing; addresses are the device's. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_OPTIMIZER_ARGS_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_OPTIMIZER_ARGS_H_

#include "switchyard/ops/formulas/optimizer.h"

namespace sy::cuda {

inline constexpr int kStepsOfLaunch = 32;  // with which the struct is below 4 kB

// Parameters, one for each row of blocks: elements and tensors, of which some may be null, and the
// step, at an address or a number.
struct StepArgs {
  f::StepNumbers numbers;
  const double* lr;  // null: numbers.lr
  const float* grad_scale;
  const float* found_inf;
  long long n[kStepsOfLaunch];
  void* data[kStepsOfLaunch][f::kStepTensors];
  const float* step[kStepsOfLaunch];
  double step_number[kStepsOfLaunch];
};

// Tensors that are multiplied by a number, one for each row of blocks; found: set to 1 where an
// element is not finite.
struct UnscaleArgs {
  const float* scale;
  float* found;
  long long n[kStepsOfLaunch];
  void* data[kStepsOfLaunch];
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_OPTIMIZER_ARGS_H_
