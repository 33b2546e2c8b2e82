// Loops over contiguous rows that several passes go over while they are in the cache: softmax,
// normalisations, attention.
//
//   const RowLoops& rows = RowsOf(DType::kFloat32);
//   rows.softmax(out, in, n);
//
// Numbers given and returned are doubles; 16-bit floats are computed in float, others in their own
// type. Sums of floats are kept in lanes for blocks, and between blocks in double.
// Owns: nothing; tables are constants.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_ROWS_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_ROWS_H_

#include "switchyard/backends/cpu/engine/for_floats.h"
#include "switchyard/backends/cpu/engine/isa.h"

namespace sy::cpu {

struct RowMoments {
  double mean, square;  // square: the sum of squared distances from the mean
};

// Sums of grad weight, and of grad weight (in - mean).
struct RowSlopes {
  double sum, centred;
};

struct RowLoops {
  // n > 0. out may be in.
  void (*softmax)(void* out, const void* in, size_t n);
  void (*log_softmax)(void* out, const void* in, size_t n);
  // Of `width` columns side by side, each of n elements `stride` apart; out is not in.
  void (*softmax_columns)(void* out, const void* in, size_t n, size_t stride, size_t width,
                          bool log);
  // out = (grad - sum(grad y)) y.
  void (*softmax_backward)(void* out, const void* grad, const void* y, size_t n);
  // out = grad - sum(grad) e^y.
  void (*log_softmax_backward)(void* out, const void* grad, const void* y, size_t n);
  double (*max)(const void* in, size_t n);  // -inf for n = 0; NaN do not count
  // out = e^(in - shift); the sum of these.
  double (*exp_sum)(void* out, const void* in, size_t n, double shift);
  RowMoments (*moments)(const void* in, size_t n);
  double (*square_sum)(const void* in, size_t n);
  // out = (in - mean) factor weight + bias; weight and bias: null, or n numbers of the type that is
  // computed in.
  void (*normalize)(void* out, const void* in, size_t n, double mean, double factor,
                    const void* weight, const void* bias);
  // out = in scale + shift.
  void (*scale)(void* out, const void* in, size_t n, double scale, double shift);

  // --- What normalisations pass back. weight: as of normalize.
  RowSlopes (*slopes)(const void* grad, const void* in, size_t n, double mean, const void* weight);
  // out = grad weight factor + (in - mean) slope + shift.
  void (*normalize_backward)(void* out, const void* grad, const void* in, size_t n, double mean,
                             double factor, double slope, double shift, const void* weight);
  // to_weight += grad (in - mean) factor, to_bias += grad, of the type that is computed in; null
  // where not asked for.
  void (*add_slopes)(void* to_weight, void* to_bias, const void* grad, const void* in, size_t n,
                     double mean, double factor);
};
using RowTable = ForFloats<RowLoops>;

SY_IN_EACH_ISA(extern const RowTable rows)

// d: a floating dtype of 16 bits or more.
inline const RowLoops& RowsOf(DType d) {
  static constexpr const RowTable* kTables[kNumIsas] = SY_OF_EACH_ISA(rows);
  return kTables[ActiveIsa()]->Of(d);
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_ROWS_H_
