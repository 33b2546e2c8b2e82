// One call of each kind that has something of its own: a library, a cache, a lock, threads.
//
//   if (const char* wrong = sy::testing::Everything()) …
//
// Threads: any.
#ifndef TESTS_FAULTS_PROCESS_EVERYTHING_H_
#define TESTS_FAULTS_PROCESS_EVERYTHING_H_

#include "switchyard/core/device.h"
#include "switchyard/core/generator.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/layers.h"
#include "switchyard/ops.h"
#include "switchyard/registry/registry.h"

namespace sy::testing {

inline bool AllAre(const Tensor& t, double value) {
  return t.numel() > 0 && *all(eq(t, value)).data<bool>();
}

// Null, or what gave something else than it must.
inline const char* Everything() {
  if (Registry::Global().PacketNames().size() < 100) return "the registry's names";
  if (Registry::Global().Find("mul.Tensor") == nullptr) return "an operator by name";
  ParseDevice("cpu");
  FindLayer("none");
  for (const int64_t n : {1, 100, 10000, 1000000}) {
    if (!AllAre(add(ones({n}), ones({n})), 2)) return "a sum";
  }
  if (!AllAre(call("sub", full({3}, 5.), 1).take(), 4)) return "a call by name";
  rand({1000});
  manual_seed(1);
  const Tensor a = ones({200, 200}), d = ones({200, 200}, DType::kFloat64);
  if (!AllAre(matmul(a, a), 200)) return "a product of float32";
  if (!AllAre(matmul(d, d), 200)) return "a product of float64";
  if (!AllAre(to(matmul(to(a, DType::kBFloat16), to(a, DType::kBFloat16)), DType::kFloat32), 200))
    return "a product of bfloat16";
  if (!AllAre(sum(linalg_inv(eye(30))), 30)) return "an inverse";
  const Tensor image = ones({1, 16, 12, 12}), kernels = ones({16, 16, 3, 3});
  if (!AllAre(convolution(image, kernels, Tensor(), {1, 1}, {0, 0}, {1, 1}, false, {0, 0}, 1), 144))
    return "a convolution";
  if (!AllAre(select(abs(fft_fft(ones({30}))), 0, 0), 30)) return "a Fourier transform";
  if (!AllAre(fmod(full({1000}, 7.), full({1000}, 4.)), 3)) return "a remainder";
  if (!AllAre(amax(cumsum(ones({300000}), 0)), 300000)) return "a scan";
  return nullptr;
}

}  // namespace sy::testing

#endif  // TESTS_FAULTS_PROCESS_EVERYTHING_H_
