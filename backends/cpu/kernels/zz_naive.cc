// scratch only
#include <complex>

#include "backends/cpu/kernels/outer.h"
#include "switchyard/core/shape.h"
#include "switchyard/registry/kernel.h"
namespace sy::cpu {
namespace {
template <class T>
std::complex<double> W(T x) {
  if constexpr (requires { typename T::value_type; })
    return x;
  else if constexpr (std::is_same_v<T, ComplexHalf>)
    return std::complex<float>(x);
  else
    return static_cast<double>(x);
}
void Copy(Call, const Tensor& out, const Tensor&, const Tensor& src, bool) {
  Outer<2> o;
  int64_t skip = out.dim() - src.dim();
  for (int64_t d = out.dim() - 1; d >= 0; --d)
    o.Add(out.sizes()[d],
          {out.strides()[d], d < skip || src.sizes()[d - skip] == 1 ? 0 : src.strides()[d - skip]});
  VisitDType<kAllTypes>(out.dtype(), [&](auto to) {
    using T = typename decltype(to)::type;
    T* x = static_cast<T*>(out.data());
    VisitDType<kAllTypes>(src.dtype(), [&](auto fr) {
      using F = typename decltype(fr)::type;
      const F* y = static_cast<const F*>(src.data());
      o.ForEach(0, o.count(), [&](const int64_t(&at)[2]) {
        if constexpr (std::is_same_v<T, F>)
          x[at[0]] = y[at[1]];
        else {
          Scalar s;
          if constexpr (std::is_integral_v<F>)
            s = Scalar(y[at[1]]);
          else {
            auto w = W(y[at[1]]);
            s = IsComplex(DTypeOf<F>) ? Scalar(w) : Scalar(w.real());
          }
          x[at[0]] = s.To<T>();
        }
      });
    });
  });
}
void Fill(Call, const Tensor& out, const Tensor&, const Scalar& v) {
  Outer<1> o;
  for (int64_t d = out.dim() - 1; d >= 0; --d) o.Add(out.sizes()[d], {out.strides()[d]});
  VisitDType<kAllTypes>(out.dtype(), [&](auto to) {
    using T = typename decltype(to)::type;
    T* x = static_cast<T*>(out.data());
    o.ForEach(0, o.count(), [&](const int64_t(&at)[1]) { x[at[0]] = v.To<T>(); });
  });
}
const Kernel k{"copy", "cpu", kAnyDType, Copy, {.priority = -1}};
const Kernel f{"fill.Scalar", "cpu", kAnyDType, Fill, {.priority = -1}};
}  // namespace
}  // namespace sy::cpu
