// Fourier transforms along one dimension, over two, or over several (n): fft of any numbers, rfft
// of real ones, whose result's second half is the first one's conjugates and left out, hfft of
// what has such a half left out, to real numbers; with i, back.
//   self: integers, bool (as the default dtype), float32, float64 or complex; n, s: sizes to which
//   self is cut or filled up with zeros, default its own (of irfft and hfft 2 (size - 1)); dim:
//   default the last, the last two, or the last ones of s   →   complex; real (irfft, hfft)
//   norm: "backward" (default): the inverse is divided by the number of elements, "forward": the
//   transform is, "ortho": both by its root
// Errors: kInvalidArgument for other dtypes, sizes below 1 and an unknown norm; kOutOfRange for a
// dimension out of range.
// Example: sy::fft_fft(sy::ones({8}))
// Source: ATen fft_fft, fft_ifft, fft_rfft, fft_irfft, fft_hfft, fft_ihfft, and with 2 and n.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator fft_op{"fft_fft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor",
                      KeyRule::kFirst, kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator ifft_op{
    "fft_ifft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", KeyRule::kFirst,
    kOut};
const Operator rfft_op{
    "fft_rfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", KeyRule::kFirst,
    kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator irfft_op{
    "fft_irfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", KeyRule::kFirst,
    kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator hfft_op{
    "fft_hfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", KeyRule::kFirst,
    kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator ihfft_op{
    "fft_ihfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", KeyRule::kFirst,
    kOut};
const Operator fft2_op{
    "fft_fft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator ifft2_op{
    "fft_ifft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator rfft2_op{
    "fft_rfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator irfft2_op{
    "fft_irfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator hfft2_op{
    "fft_hfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator ihfft2_op{
    "fft_ihfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator fftn_op{
    "fft_fftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator ifftn_op{
    "fft_ifftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator rfftn_op{
    "fft_rfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator irfftn_op{
    "fft_irfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator hfftn_op{
    "fft_hfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator ihfftn_op{
    "fft_ihfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
