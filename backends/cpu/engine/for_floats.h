// One of something for each floating dtype of 16 bits or more: the tables that loops stand in.
//
//   ForFloats<RowLoops> rows = …;   rows.Of(DType::kBFloat16).softmax(out, in, n);
//
// Owns: what T owns. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_FOR_FLOATS_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_FOR_FLOATS_H_

#include "switchyard/core/dtype.h"

namespace sy::cpu {

template <class T>
struct ForFloats {
  T float16, bfloat16, float32, float64;

  // d: one of these; float64's is what any other gets.
  const T& Of(DType d) const {
    return d == DType::kFloat16    ? float16
           : d == DType::kBFloat16 ? bfloat16
           : d == DType::kFloat32  ? float32
                                   : float64;
  }
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_FOR_FLOATS_H_
