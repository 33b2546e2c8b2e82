// Products of vectors of three: a thread for each.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_VECTORS_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_VECTORS_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/number.h"

namespace sy::cuda {

// What 16-bit floats are computed in where each step rounds; others as they are lifted.
template <class T>
SY_FN auto LiftStepwise(T x) {
  if constexpr (kIsHalf<T>) {
    return Stepwise<T>(Lift(x));
  } else {
    return Lift(x);
  }
}

// Operands: out, the second vector (out[1]), the first one (in).
template <class T, int kLanes>
SY_FN void Cross(const LineArgs& args) {
  const long long line = ThreadIndex();
  if (line >= args.space.n) return;
  const Offsets<3, UInt64> at(line, args.space);
  const auto a = [&](int i) { return LiftStepwise(At<T>(args.in, at.of[2] + i * args.in_step)); };
  const auto b = [&](int i) {
    return LiftStepwise(At<T>(args.out[1], at.of[1] + i * args.out_step[1]));
  };
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    At<T>(args.out[0], at.of[0] + i * args.out_step[0]) = Lower<T>(a(j) * b(k) - a(k) * b(j));
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_VECTORS_H_
