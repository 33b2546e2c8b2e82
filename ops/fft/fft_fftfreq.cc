// Frequencies of a transform's elements, in cycles a unit, and what puts frequency 0 in the middle.
//   n: the number of elements, d: their distance   →   [n], or [n / 2 + 1] for rfft; floating or
//   complex
//   self: any sizes; dim: default all   →   like self, rolled by half of each dimension
//   (fft_fftshift), and back (fft_ifftshift)
// Errors: kInvalidArgument for integers and Float8; kOutOfRange for a dimension out of range.
// Example: sy::fft_fftshift(sy::fft_fftfreq(8, 0.5))
// Source: ATen fft_fftfreq, fft_rfftfreq, fft_fftshift, fft_ifftshift.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator fftfreq_op{
    "fft_fftfreq(int n, float d=1., *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor"};
const Operator fftfreq_out_op{
    "fft_fftfreq.out(int n, float d=1., *, Tensor(a!) out) -> Tensor(a!)"};
const Operator rfftfreq_op{
    "fft_rfftfreq(int n, float d=1., *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor"};
const Operator rfftfreq_out_op{
    "fft_rfftfreq.out(int n, float d=1., *, Tensor(a!) out) -> Tensor(a!)"};
const Operator fftshift_op{"fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor",
                           KeyRule::kFirst};
const Operator ifftshift_op{"fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor",
                            KeyRule::kFirst};

}  // namespace sy
