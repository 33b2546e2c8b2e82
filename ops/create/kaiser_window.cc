// Kaiser's window, which a signal is multiplied with: i0(beta sqrt(1 - x^2)) / i0(beta) for x from
// -1 to 1, i0 being the modified Bessel function.
//   window_length: >= 0; periodic: leave out the last number of a window that is 1 longer, so that
//   repeats join; beta: 12   →   [window_length]; `dtype` or the default dtype
// Errors: kInvalidArgument for a negative length and a dtype that is not floating.
// Example: sy::kaiser_window(8)
// Source: ATen kaiser_window.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator kaiser_window_op{
    "kaiser_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None) -> Tensor"};
const Operator kaiser_window_out_op{
    "kaiser_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)"};
const Operator kaiser_window_periodic_op{
    "kaiser_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, "
    "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
const Operator kaiser_window_periodic_out_op{
    "kaiser_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> "
    "Tensor(a!)"};
const Operator kaiser_window_beta_op{
    "kaiser_window.beta(int window_length, bool periodic, float beta, *, ScalarType? "
    "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
const Operator kaiser_window_beta_out_op{
    "kaiser_window.beta_out(int window_length, bool periodic, float beta, *, Tensor(a!) out) "
    "-> Tensor(a!)"};

}  // namespace sy
