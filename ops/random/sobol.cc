// The Sobol sequence: points that fill a cube evenly. _sobol_engine_initialize_state_ writes the
// directions of `dimension` dimensions, of which _sobol_engine_scramble_ makes others by matrices;
// _sobol_engine_draw gives the next n points, and the state of the last one; _sobol_engine_ff_ goes
// on by n points.
//   self, sobolstate: [dimension, 30], int64, and quasi: [dimension], int64, the state before the
//   next point; num_generated: points so far; ltm: [dimension, 30, 30], int64, of 0 and 1   →   [n,
//   dimension], float32 or float64, and like quasi
// Errors: kInvalidArgument for dtypes and sizes that do not fit, negative numbers, and points
// beyond 2^30; kNotImplemented for more than 1111 dimensions (ATen has 21201).
// Example: sy::_sobol_engine_ff_(x, 1, y, 1, 0)
// Source: ATen _sobol_engine_initialize_state_, _sobol_engine_scramble_, _sobol_engine_draw,
// _sobol_engine_ff_.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator sobol_initialize_op{
    "_sobol_engine_initialize_state_(Tensor(a!) self, int dimension) -> Tensor(a!)",
    KeyRule::kFirst};
const Operator sobol_scramble_op{
    "_sobol_engine_scramble_(Tensor(a!) self, Tensor ltm, int dimension) -> Tensor(a!)",
    KeyRule::kFirst};
const Operator sobol_ff_op{
    "_sobol_engine_ff_(Tensor(a!) self, int n, Tensor sobolstate, int dimension, int "
    "num_generated) -> Tensor(a!)",
    KeyRule::kFirst};
const Operator sobol_draw_op{
    "_sobol_engine_draw(Tensor quasi, int n, Tensor sobolstate, int dimension, int num_generated, "
    "ScalarType? dtype) -> (Tensor, Tensor)",
    KeyRule::kFirst};

}  // namespace sy
