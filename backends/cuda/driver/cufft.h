// cuFFT's functions, opened when they are first needed, and plans made by them, which are kept: the
// last kPlans of a device.
//
//   RunFourier(op, stream, shape, in, out, /*forward=*/true);
//
// Owns: the plans, for the process; memory that a call works in is the allocator's.
// Threads: any; one at a time uses a device's plans.
// Errors: kUnavailable, naming the operator and the library, where it cannot be opened or refuses;
// kInvalidArgument where a graph is captured and the plan has not been made before.
#ifndef SWITCHYARD_BACKENDS_CUDA_DRIVER_CUFFT_H_
#define SWITCHYARD_BACKENDS_CUDA_DRIVER_CUFFT_H_

#include <cufft.h>

#include <compare>
#include <string_view>

#include "backends/cuda/runtime/stream.h"

namespace sy::cuda {

#define SY_CUFFT_FUNCTIONS(X) \
  X(Create)                   \
  X(SetAutoAllocation)        \
  X(MakePlanMany64)           \
  X(SetStream)                \
  X(SetWorkArea)              \
  X(ExecC2C)                  \
  X(ExecR2C)                  \
  X(ExecC2R)                  \
  X(ExecZ2Z)                  \
  X(ExecD2Z)                  \
  X(ExecZ2D)                  \
  X(Destroy)

struct FourierTable {
#define SY_CUFFT_MEMBER(name) decltype(&::cufft##name) name = nullptr;
  SY_CUFFT_FUNCTIONS(SY_CUFFT_MEMBER)
#undef SY_CUFFT_MEMBER
};
// Instead of the library: what tests put there, before it is first asked for.
void UseFourier(const FourierTable& table);

constexpr int kMaxFourierRank = 3;
constexpr size_t kPlans = 256;  // of a device

// What a plan is made for. Element [b, x, y, z] of a side lies at
// b * dist + ((x * embed[1] + y) * embed[2] + z) * stride.
struct FourierShape {
  struct Side {
    long long embed[kMaxFourierRank], stride, dist;  // in elements
    auto operator<=>(const Side&) const = default;
  };
  cufftType type;
  int rank;
  long long sizes[kMaxFourierRank], batch;  // of the transform; of real numbers for all types
  Side in, out;
  auto operator<=>(const FourierShape&) const = default;
};

// Queues it. in, out: aligned as two numbers are; in is lost where the type goes to real numbers,
// and may be out for other complex ones. forward: of complex to complex.
void RunFourier(std::string_view op, CudaStream& stream, const FourierShape& shape, void* in,
                void* out, bool forward);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DRIVER_CUFFT_H_
