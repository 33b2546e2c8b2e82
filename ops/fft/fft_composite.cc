// Fourier transforms of any numbers, sizes and normalizations by the three that kernels serve.
// Source: ATen/native/SpectralOps.cpp, for what is cut, filled up and scaled.

#include <optional>
#include <string_view>
#include <vector>

#include "ops/checks.h"
#include "switchyard/core/checked.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using Name = std::optional<std::string_view>;
using Dims = std::vector<int64_t>;

int64_t NormalizationOf(Call call, Name norm, bool forward) {
  if (!norm || *norm == "backward") return forward ? 0 : 2;
  if (*norm == "forward") return forward ? 2 : 0;
  if (*norm == "ortho") return 1;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"norm must be 'backward', 'ortho' or 'forward', got '", *norm, "'"});
}

Tensor Floating(Call call, const Tensor& self) {
  const Tensor t = IsIntegral(self.dtype(), true) ? to(self, DefaultDType()) : self;
  constexpr DTypeMask kTypes = kComplexTypes | Mask(DType::kFloat32, DType::kFloat64);
  if (Contains(kTypes, t.dtype())) return t;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"self must be float32, float64, complex64 or complex128, got ", self.dtype()});
}
Tensor Real(Call call, const Tensor& self) {
  if (IsComplex(self.dtype())) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {"self must be real, got ", self.dtype()});
  }
  return Floating(call, self);
}
Tensor Complex(Call call, const Tensor& self) {
  const Tensor t = Floating(call, self);
  return to(t, ComplexType(t.dtype()));
}

// Cut, or filled up with zeros at the end.
Tensor Resized(Call call, const Tensor& self, const Dims& dims, const Dims& sizes) {
  Tensor t = self;
  Dims pad(static_cast<size_t>(2 * self.dim()));  // from the last dimension on: before, after
  bool grows = false;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t d = dims[i], n = sizes[i], own = self.size(d);
    if (n < 1) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"there must be at least one element along dim ", d, ", got ", n});
    }
    if (n < own) t = narrow(t, d, 0, n);
    if (n > own) pad[static_cast<size_t>(2 * (self.dim() - 1 - d) + 1)] = n - own;
    grows = grows || n > own;
  }
  return grows ? constant_pad_nd(t, pad) : t;
}

// --- One dimension
// Of real numbers; not forward: the conjugate of the forward one.
Tensor FromReal(Call call, const Tensor& self, Optional<int64_t> n, int64_t dim, Name norm,
                bool forward, bool onesided) {
  const Tensor t = Real(call, self);
  const int64_t d = WrapDimOf(call, dim, t), normalization = NormalizationOf(call, norm, forward);
  const Tensor x = _fft_r2c(Resized(call, t, {d}, {n.value_or(t.size(d))}), IntSpan(&d, 1),
                            normalization, onesided);
  return forward ? x : conj_physical(x);
}
// To real numbers; forward: of the conjugates.
Tensor ToReal(Call call, const Tensor& self, Optional<int64_t> n, int64_t dim, Name norm,
              bool forward) {
  const Tensor t = Complex(call, self);
  const int64_t d = WrapDimOf(call, dim, t), normalization = NormalizationOf(call, norm, forward);
  const int64_t size = n ? *n : CheckedProduct(call, "the result's size", 2, t.size(d) - 1);
  if (size < 1) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"the result must have at least one element along dim ", d, ", got ", size});
  }
  const Tensor x = Resized(call, t, {d}, {size / 2 + 1});
  return _fft_c2r(forward ? conj_physical(x) : x, IntSpan(&d, 1), normalization, size);
}
template <bool kForward>
Tensor OfAny(Call call, const Tensor& self, Optional<int64_t> n, int64_t dim, Name norm) {
  const Tensor t = Floating(call, self);
  if (!IsComplex(t.dtype())) return FromReal(call, t, n, dim, norm, kForward, false);
  const int64_t d = WrapDimOf(call, dim, t), normalization = NormalizationOf(call, norm, kForward);
  return _fft_c2c(Resized(call, t, {d}, {n.value_or(t.size(d))}), IntSpan(&d, 1), normalization,
                  kForward);
}
template <bool kForward>
Tensor OfReal(Call call, const Tensor& self, Optional<int64_t> n, int64_t dim, Name norm) {
  return FromReal(call, self, n, dim, norm, kForward, true);
}
template <bool kForward>
Tensor BackToReal(Call call, const Tensor& self, Optional<int64_t> n, int64_t dim, Name norm) {
  return ToReal(call, self, n, dim, norm, kForward);
}
const Composite fft_body{"fft_fft", OfAny<true>};
const Composite ifft_body{"fft_ifft", OfAny<false>};
const Composite rfft_body{"fft_rfft", OfReal<true>};
const Composite ihfft_body{"fft_ihfft", OfReal<false>};
const Composite irfft_body{"fft_irfft", BackToReal<false>};
const Composite hfft_body{"fft_hfft", BackToReal<true>};

// --- Several dimensions
struct Plan {
  Dims dims, sizes;
};
// dim: default the last ones of s, or all; s: default self's sizes, which -1 stands for too.
Plan PlanOf(Call call, const Tensor& self, std::optional<IntSpan> s, std::optional<IntSpan> dim) {
  Plan plan;
  if (dim) {
    for (const int64_t d : *dim) plan.dims.push_back(WrapDimOf(call, d, self));
    if (!dim->empty()) DimMask(*dim, self.dim(), call.op());  // they differ
    if (s && s->size() != dim->size()) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"s and dim must have as many elements, got ", *s, " and ", *dim});
    }
  } else {
    const int64_t count = s ? static_cast<int64_t>(s->size()) : self.dim();
    if (count > self.dim()) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"s must not have more elements than self has dimensions, got ", *s, " and sizes ",
            self.sizes()});
    }
    for (int64_t d = self.dim() - count; d < self.dim(); ++d) plan.dims.push_back(d);
  }
  for (size_t i = 0; i < plan.dims.size(); ++i)
    plan.sizes.push_back(s && (*s)[i] != -1 ? (*s)[i] : self.size(plan.dims[i]));
  return plan;
}
void RequireSomeDim(Call call, const Plan& plan) {
  if (!plan.dims.empty()) return;
  Fail(ErrorCode::kInvalidArgument, call.op(), {"at least one dimension must be transformed"});
}
// Of what goes to real numbers: the last size is the result's, and becomes that of its half.
int64_t TakeLastSize(Call call, Plan& plan, const Tensor& self, std::optional<IntSpan> s) {
  RequireSomeDim(call, plan);
  const bool given = s && s->back() != -1;
  const int64_t last =
      given ? s->back()
            : CheckedProduct(call, "the result's size", 2, self.size(plan.dims.back()) - 1);
  if (last < 1) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"the result must have at least one element along its last transformed ",
          "dimension, got ", last});
  }
  plan.sizes.back() = last / 2 + 1;
  return last;
}

template <bool kForward>
Tensor OfAnyN(Call call, const Tensor& self, std::optional<IntSpan> s, std::optional<IntSpan> dim,
              Name norm) {
  const Plan plan = PlanOf(call, self, s, dim);
  const Tensor x = Resized(call, Complex(call, self), plan.dims, plan.sizes);
  if (plan.dims.empty()) return clone(x);
  return _fft_c2c(x, plan.dims, NormalizationOf(call, norm, kForward), kForward);
}
Tensor RealN(Call call, const Tensor& self, std::optional<IntSpan> s, std::optional<IntSpan> dim,
             Name norm) {
  const Plan plan = PlanOf(call, self, s, dim);
  RequireSomeDim(call, plan);
  return _fft_r2c(Resized(call, Real(call, self), plan.dims, plan.sizes), plan.dims,
                  NormalizationOf(call, norm, true), true);
}
Tensor BackToRealN(Call call, const Tensor& self, std::optional<IntSpan> s,
                   std::optional<IntSpan> dim, Name norm) {
  Plan plan = PlanOf(call, self, s, dim);
  const int64_t last = TakeLastSize(call, plan, self, s);
  return _fft_c2r(Resized(call, Complex(call, self), plan.dims, plan.sizes), plan.dims,
                  NormalizationOf(call, norm, false), last);
}
Tensor HermitianN(Call call, const Tensor& self, std::optional<IntSpan> s,
                  std::optional<IntSpan> dim, Name norm) {
  Plan plan = PlanOf(call, self, s, dim);
  const int64_t last = TakeLastSize(call, plan, self, s),
                normalization = NormalizationOf(call, norm, true);
  const Tensor t = Complex(call, self);
  // In double on the way, so that results are rounded once.
  Tensor x = Resized(call, to(t, DType::kComplex128), plan.dims, plan.sizes);
  const IntSpan dims(plan.dims);
  if (dims.size() > 1) x = _fft_c2c(x, dims.first(dims.size() - 1), normalization, true);
  return to(_fft_c2r(conj_physical(x), dims.last(1), normalization, last), RealType(t.dtype()));
}
Tensor InverseHermitianN(Call call, const Tensor& self, std::optional<IntSpan> s,
                         std::optional<IntSpan> dim, Name norm) {
  const Plan plan = PlanOf(call, self, s, dim);
  RequireSomeDim(call, plan);
  const int64_t normalization = NormalizationOf(call, norm, false);
  const IntSpan dims(plan.dims);
  const Tensor x = conj_physical(_fft_r2c(Resized(call, Real(call, self), plan.dims, plan.sizes),
                                          dims.last(1), normalization, true));
  return dims.size() == 1 ? x : _fft_c2c(x, dims.first(dims.size() - 1), normalization, false);
}
const Composite fftn_body{"fft_fftn", OfAnyN<true>};
const Composite ifftn_body{"fft_ifftn", OfAnyN<false>};
const Composite rfftn_body{"fft_rfftn", RealN};
const Composite irfftn_body{"fft_irfftn", BackToRealN};
const Composite hfftn_body{"fft_hfftn", HermitianN};
const Composite ihfftn_body{"fft_ihfftn", InverseHermitianN};

// --- Two: as several, with dim given
template <auto kBody>
Tensor Two(Call call, const Tensor& self, std::optional<IntSpan> s, IntSpan dim, Name norm) {
  return kBody(call, self, s, dim, norm);
}
const Composite fft2_body{"fft_fft2", Two<OfAnyN<true>>};
const Composite ifft2_body{"fft_ifft2", Two<OfAnyN<false>>};
const Composite rfft2_body{"fft_rfft2", Two<RealN>};
const Composite irfft2_body{"fft_irfft2", Two<BackToRealN>};
const Composite hfft2_body{"fft_hfft2", Two<HermitianN>};
const Composite ihfft2_body{"fft_ihfft2", Two<InverseHermitianN>};

}  // namespace
}  // namespace sy
