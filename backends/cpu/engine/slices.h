// Copies slices of one tensor to slices of another, the positions of one side taken from a list:
// what index_select and index_copy are.
//
// Threads: parallel where it is worth it; where a position occurs twice, the last one wins.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_SLICES_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_SLICES_H_

#include "switchyard/core/tensor.h"

namespace sy::cpu {

// out[.., k, ..] = self[.., at[k], ..] for k below count; other sizes are equal.
void SelectSlices(const Tensor& out, const Tensor& self, int64_t dim, const int64_t* at,
                  int64_t count);
// out[.., at[k], ..] = source[.., k, ..] for k below count, in this order. source may be 0-d.
void PutSlices(const Tensor& out, int64_t dim, const int64_t* at, int64_t count,
               const Tensor& source);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_SLICES_H_
