// What gradients of normalisations have in common. With x the input, g the gradient of the result,
// times weight, and f = 1 / deviation, what is passed back to x is
//
//   g f - (x - mean) sum(g (x - mean)) f^3 / n - sum(g) f / n
//
// of which the last two come from the statistics: where these are given, it is g f.
//
//   const InputGradient to_x(f, rows.slopes(g, x, n, mean, weight), n);
//   rows.normalize_backward(out, g, x, n, mean, f, to_x.slope, to_x.shift, weight);
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_NN_NORM_BACKWARD_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_NN_NORM_BACKWARD_H_

#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/rows.h"
#include "switchyard/core/tensor.h"

namespace sy::cpu {

// slopes: of all n elements that the statistics are of.
struct InputGradient {
  double slope, shift;

  InputGradient(double factor, const RowSlopes& slopes, double n)
      : slope(-slopes.centred * factor * factor * factor / n), shift(-slopes.sum * factor / n) {}
};

inline void FillIfAsked(const Tensor& t, double value) {
  if (t.defined() && t.numel() != 0) FillElements(t, Scalar(value));
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_NN_NORM_BACKWARD_H_
