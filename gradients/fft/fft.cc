// Gradients of Fourier transforms: the adjoint of a transform is the one of the other direction
// with the same normalization.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "switchyard/autograd/gradient.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor C2cSelf(const Grad& g, Unsaved, IntSpan dim, int64_t normalization, bool forward) {
  return _fft_c2c(g, dim, normalization, !forward);
}
const Gradient c2c_grad{"_fft_c2c", For("self", C2cSelf)};

// The real part of the inverse; a one-sided spectrum has zeros for its other half, which a real
// input has as conjugates of the first.
Tensor R2cSelf(const Grad& g, Like self, IntSpan dim, int64_t normalization, bool onesided) {
  if (!onesided) return real(_fft_c2c(g, dim, normalization, false));
  const int64_t last = dim.back(), missing = self.size(last) - g.size(last);
  Tensor full = g;
  if (missing > 0) {
    std::vector<int64_t> sizes(g.sizes().begin(), g.sizes().end());
    sizes[static_cast<size_t>(last < 0 ? last + g.dim() : last)] = missing;
    full = cat(std::vector<Tensor>{full, new_zeros(g, sizes)}, last);
  }
  return real(_fft_c2c(full, dim, normalization, false));
}
const Gradient r2c_grad{"_fft_r2c", For("self", R2cSelf)};

// What stands for two elements of the spectrum, itself and its conjugate, counts twice.
Tensor C2rSelf(const Grad& g, Unsaved, IntSpan dim, int64_t normalization, Unsaved) {
  const Tensor spectrum = _fft_r2c(g, dim, normalization, true);
  const int64_t last = dim.back(), size = spectrum.size(last);
  const int64_t doubled = g.size(last) - size;  // elements after the first
  if (doubled <= 0) return spectrum;
  std::vector<Tensor> parts{narrow(spectrum, last, 0, 1),
                            mul(narrow(spectrum, last, 1, doubled), 2)};
  if (doubled + 1 < size) {
    parts.push_back(narrow(spectrum, last, doubled + 1, size - doubled - 1));
  }
  return cat(parts, last);
}
const Gradient c2r_grad{"_fft_c2r", For("self", C2rSelf)};

const NotDifferentiable frequencies{"fft_fftfreq", "fft_rfftfreq"};

}  // namespace
}  // namespace sy
