// Short-time Fourier transforms: of frames of n_fft elements, hop_length apart, times a window
// (stft), and the signal that such frames add up to (istft).
//   self: [L] or [b, L], floating or complex; win_length <= n_fft, default n_fft: what the window
//   has, in the middle of the frame; window: [win_length], default ones; hop_length: default
//   n_fft / 4   →   [.., n_fft / 2 + 1, frames] with onesided (default for real numbers), else
//   [.., n_fft, frames]; complex, or its parts in a last dimension of 2 without return_complex
//   center: self is continued by n_fft / 2 on both sides, by pad_mode, so that frame t is around
//   element t hop_length; align_to_window: self is filled up with zeros so that windows begin there
//   normalized: divided by the root of n_fft
// istft: self: [.., n_fft / 2 + 1 or n_fft, frames], complex   →   [.., L], L: length, or what the
// frames cover
// Errors: kInvalidArgument for sizes and dtypes that do not fit; kInvalidValue where windows leave
// gaps.
// Example: sy::stft(sy::ones({64}), 16, {}, {}, {}, false, {}, true)
// Source: ATen stft, istft.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator stft_op{
    "stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, "
    "bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? "
    "align_to_window=None) -> Tensor",
    KeyRule::kFirst};
const Operator stft_center_op{
    "stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? "
    "window=None, bool center=True, str pad_mode=\"reflect\", bool normalized=False, bool? "
    "onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor",
    KeyRule::kFirst};
const Operator istft_op{
    "istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? "
    "window=None, "
    "bool center=True, bool normalized=False, bool? onesided=None, int? length=None, bool "
    "return_complex=False) -> Tensor",
    KeyRule::kFirst};

}  // namespace sy
