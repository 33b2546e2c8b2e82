// The sizes of what grid_sampler takes and gives.
//
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument when ranks, sizes, dtypes or modes do not fit, or an image is empty.
#ifndef SWITCHYARD_OPS_NN_GRID_SHAPE_H_
#define SWITCHYARD_OPS_NN_GRID_SHAPE_H_

#include <algorithm>

#include "switchyard/ops/shape_functions.h"

namespace sy {

// input: [n, c, kDims dimensions]; grid: [n, kDims dimensions, kDims], positions from -1 to 1 along
// each, the last dimension's first, of input's floating dtype; interpolation_mode: 0 bilinear, 1
// nearest, 2 bicubic (of two dimensions); padding_mode: 0 zeros, 1 border, 2 reflection.
//   →   [n, c, the grid's dimensions], which live as long as r's call
template <int kDims>
IntSpan SampledSizes(ShapeContext& r, const TensorBase& input, const TensorBase& grid,
                     int64_t interpolation_mode, int64_t padding_mode) {
  const IntSpan x = input.sizes(), g = grid.sizes();
  if (input.dim() != kDims + 2 || grid.dim() != kDims + 2 || g[kDims + 1] != kDims || x[0] != g[0])
    r.Fail({"input must be [n, c, ..] of ", kDims, " dimensions, grid [n, .., ", kDims,
            "], got sizes ", x, " and ", g});
  RequireDType(r, input, kFloatingTypes, "input");
  RequireSameDType(r, input, grid, "input", "grid");
  if (std::any_of(x.begin() + 2, x.end(), [](int64_t n) { return n == 0; }))
    r.Fail({"images must not be empty, got sizes ", x});
  if (interpolation_mode < 0 || interpolation_mode > (kDims == 2 ? 2 : 1))
    r.Fail({"interpolation_mode must be 0 to ", kDims == 2 ? 2 : 1, ", got ", interpolation_mode});
  if (padding_mode < 0 || padding_mode > 2)
    r.Fail({"padding_mode must be 0 to 2, got ", padding_mode});
  int64_t* sizes = r.Ints(kDims + 2);
  sizes[0] = x[0];
  sizes[1] = x[1];
  std::copy_n(g.data() + 1, kDims, sizes + 2);
  return IntSpan(sizes, kDims + 2);
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_NN_GRID_SHAPE_H_
