// Windows that a signal is multiplied with: raised cosines of one period (hann_window, and
// hamming_window, alpha - beta cos), of two (blackman_window), and a triangle (bartlett_window).
//   window_length: >= 0; periodic: leave out the last number of a window that is 1 longer, so that
//   repeats join   →   [window_length]; `dtype` or the default dtype
// Errors: kInvalidArgument for a negative length and a dtype that is not floating.
// Example: sy::hann_window(8)
// Source: ATen hann_window, hamming_window, blackman_window, bartlett_window.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator hann_window_op{
    "hann_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor"};
const Operator hann_window_out_op{
    "hann_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)"};
const Operator hann_window_periodic_op{
    "hann_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, "
    "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
const Operator hann_window_periodic_out_op{
    "hann_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> "
    "Tensor(a!)"};
const Operator hamming_window_op{
    "hamming_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None) -> Tensor"};
const Operator hamming_window_out_op{
    "hamming_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)"};
const Operator hamming_window_periodic_op{
    "hamming_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, "
    "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
const Operator hamming_window_periodic_out_op{
    "hamming_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> "
    "Tensor(a!)"};
const Operator hamming_window_alpha_op{
    "hamming_window.periodic_alpha(int window_length, bool periodic, float alpha, *, "
    "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
const Operator hamming_window_alpha_out_op{
    "hamming_window.periodic_alpha_out(int window_length, bool periodic, float alpha, *, "
    "Tensor(a!) out) -> Tensor(a!)"};
const Operator hamming_window_alpha_beta_op{
    "hamming_window.periodic_alpha_beta(int window_length, bool periodic, float alpha, float "
    "beta, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
const Operator hamming_window_alpha_beta_out_op{
    "hamming_window.periodic_alpha_beta_out(int window_length, bool periodic, float alpha, "
    "float beta, *, Tensor(a!) out) -> Tensor(a!)"};
const Operator blackman_window_op{
    "blackman_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None) -> Tensor"};
const Operator blackman_window_out_op{
    "blackman_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)"};
const Operator blackman_window_periodic_op{
    "blackman_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, "
    "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
const Operator blackman_window_periodic_out_op{
    "blackman_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> "
    "Tensor(a!)"};
const Operator bartlett_window_op{
    "bartlett_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None) -> Tensor"};
const Operator bartlett_window_out_op{
    "bartlett_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)"};
const Operator bartlett_window_periodic_op{
    "bartlett_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, "
    "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
const Operator bartlett_window_periodic_out_op{
    "bartlett_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> "
    "Tensor(a!)"};

}  // namespace sy
