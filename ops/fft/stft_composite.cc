// Short-time Fourier transforms by transforms of frames, which are a view of the signal.
// Source: ATen/native/SpectralOps.cpp, stft and istft.

#include <algorithm>
#include <optional>
#include <string_view>

#include "ops/checks.h"
#include "switchyard/core/checked.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

constexpr int64_t kLast = -1;

struct Frames {
  int64_t n_fft, hop, win;
  Tensor window;  // [n_fft]; undefined: ones
};

Frames FramesOf(Call call, const Tensor& self, int64_t n_fft, Optional<int64_t> hop_length,
                Optional<int64_t> win_length, const Tensor& window) {
  Frames f{n_fft, hop_length.value_or(n_fft / 4), win_length.value_or(n_fft), window};
  if (n_fft < 1 || f.hop < 1 || f.win < 1 || f.win > n_fft) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"n_fft and hop_length must be at least 1, and win_length 1 to n_fft, got ", n_fft, ", ",
          f.hop, " and ", f.win});
  }
  if (window.defined() && (window.dim() != 1 || window.size(0) != f.win)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"window must have ", f.win, " elements, got sizes ", window.sizes()});
  }
  if (f.win == n_fft) return f;
  const Tensor own = window.defined() ? window : new_ones(self, {f.win}, RealType(self.dtype()));
  const int64_t left = (n_fft - f.win) / 2;
  f.window = constant_pad_nd(own, {left, n_fft - f.win - left});
  return f;
}
// 0: none, 1: by the root.
int64_t RootIf(bool normalized) { return normalized ? 1 : 0; }

Tensor Stft(Call call, const Tensor& self, int64_t n_fft, Optional<int64_t> hop_length,
            Optional<int64_t> win_length, const Tensor& window, bool center,
            std::string_view pad_mode, bool normalized, Optional<bool> onesided,
            Optional<bool> return_complex, Optional<bool> align_to_window) {
  const bool complex_window = window.defined() && IsComplex(window.dtype());
  const bool is_complex = IsComplex(self.dtype()) || complex_window;
  RequireFloatingOrComplex(call, self);
  if (self.dim() != 1 && self.dim() != 2) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self must be 1-d or 2-d, got sizes ", self.sizes()});
  }
  if (!return_complex && !is_complex) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {"return_complex must be given for real numbers"});
  }
  if (is_complex && onesided.value_or(false)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"onesided must be False where self or window is complex"});
  }
  if (center && align_to_window) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {"align_to_window is for center=False alone"});
  }
  const Frames f = FramesOf(call, self, n_fft, hop_length, win_length, window);
  Tensor x = self.dim() == 1 ? unsqueeze(self, 0) : self;
  if (center) {
    x = squeeze(pad(unsqueeze(x, 0), {n_fft / 2, n_fft / 2}, pad_mode), 0);
  } else if (align_to_window.value_or(false)) {
    const int64_t left = (n_fft - f.win) / 2;
    x = constant_pad_nd(x, {left, n_fft - f.win - left});
  }
  const int64_t length = x.size(1);
  if (n_fft > length) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"n_fft must be at most the signal's length, ", length, ", got ", n_fft});
  }
  x = as_strided(x, {x.size(0), 1 + (length - n_fft) / f.hop, n_fft},
                 {x.stride(0), ProductOr(f.hop, x.stride(1), 1), x.stride(1)}, x.storage_offset());
  if (f.window.defined()) x = mul(x, f.window);
  const IntSpan last(&kLast, 1);
  const Tensor y = is_complex ? _fft_c2c(x, last, RootIf(normalized), true)
                              : _fft_r2c(x, last, RootIf(normalized), onesided.value_or(true));
  const Tensor turned = transpose(y, 1, 2);
  const Tensor out = self.dim() == 1 ? squeeze(turned, 0) : turned;
  return return_complex.value_or(true) ? out : view_as_real(out);
}
Tensor StftOfFrames(Call call, const Tensor& self, int64_t n_fft, Optional<int64_t> hop_length,
                    Optional<int64_t> win_length, const Tensor& window, bool normalized,
                    Optional<bool> onesided, Optional<bool> return_complex,
                    Optional<bool> align_to_window) {
  return Stft(call, self, n_fft, hop_length, win_length, window, false, "constant", normalized,
              onesided, return_complex, align_to_window);
}
const Composite stft_body{"stft", StftOfFrames};
const Composite stft_center_body{"stft.center", Stft};

// [b, frames, n_fft]   →   [b, n_fft + hop (frames - 1)]: where frames overlap, their sum.
Tensor AddedUp(Call call, const Tensor& frames, int64_t hop) {
  const int64_t count = frames.size(1), n_fft = frames.size(2);
  const auto positions = [&](int64_t n) {
    return arange(n, DType::kInt64, std::nullopt, frames.device());
  };
  const Tensor index = add(mul(unsqueeze(positions(count), 1), hop), positions(n_fft));
  const int64_t length = CheckedSum(call, "the signal's length", n_fft,
                                    CheckedProduct(call, "the signal's length", hop, count - 1));
  const Tensor sums = new_zeros(frames, {frames.size(0), length});
  return index_add_(sums, 1, reshape(index, {-1}), reshape(frames, {frames.size(0), -1}));
}

Tensor Istft(Call call, const Tensor& self, int64_t n_fft, Optional<int64_t> hop_length,
             Optional<int64_t> win_length, const Tensor& window, bool center, bool normalized,
             Optional<bool> onesided, Optional<int64_t> length, bool return_complex) {
  if (!IsComplex(self.dtype()) || (self.dim() != 2 && self.dim() != 3) || self.numel() == 0) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self must be complex, 2-d or 3-d, and not empty, got ", Describe(self)});
  }
  const Frames f = FramesOf(call, self, n_fft, hop_length, win_length, window);
  if (f.hop > f.win) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"hop_length must be at most win_length, got ", f.hop, " and ", f.win});
  }
  const int64_t size = self.size(-2), count = self.size(-1);
  const bool half = onesided.value_or(size != n_fft);
  if (size != (half ? n_fft / 2 + 1 : n_fft)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self must have ", half ? n_fft / 2 + 1 : n_fft, " frequencies, got sizes ",
          self.sizes()});
  }
  if (return_complex && half) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {"onesided must be False for a complex signal"});
  }
  if (window.defined() && IsComplex(window.dtype()) && !return_complex) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"window must be real for a real signal, got ", window.dtype()});
  }
  const Tensor spectrum = transpose(self.dim() == 2 ? unsqueeze(self, 0) : self, 1, 2);
  const int64_t normalization = normalized ? 1 : 2;
  const IntSpan last(&kLast, 1);
  Tensor frames =
      return_complex ? _fft_c2c(spectrum, last, normalization, false)
                     : _fft_c2r(narrow(spectrum, -1, 0, n_fft / 2 + 1), last, normalization, n_fft);
  const Tensor weights =
      f.window.defined() ? f.window : new_ones(self, {n_fft}, RealType(self.dtype()));
  Tensor y = AddedUp(call, mul(frames, weights), f.hop);
  Tensor envelope = AddedUp(call, expand(square(weights), {1, count, n_fft}), f.hop);
  const int64_t covered = y.size(1), start = center ? n_fft / 2 : 0;
  const int64_t end =
      std::min(covered, length   ? CheckedSum(call, "the signal's end", start, *length)
                        : center ? covered - n_fft / 2
                                 : covered);
  y = narrow(y, 1, start, std::max<int64_t>(0, end - start));
  envelope = narrow(envelope, 1, start, std::max<int64_t>(0, end - start));
  // What is another tensor in each example (vmap) has no value to check.
  const bool has_value = LayersOfKey(envelope.key() & ~(kGradBit | kConjBit | kNegBit)) == 0;
  if (HasData(y) && has_value && envelope.numel() != 0 &&
      item(any(lt(abs(envelope), 1e-11))).To<bool>()) {
    Fail(ErrorCode::kInvalidValue, call.op(),
         {"the windows' squares must not add up to 0 anywhere"});
  }
  y = div(y, envelope);
  if (length && *length > y.size(1)) y = constant_pad_nd(y, {0, *length - y.size(1)});
  return self.dim() == 2 ? squeeze(y, 0) : y;
}
const Composite istft_body{"istft", Istft};

}  // namespace
}  // namespace sy
