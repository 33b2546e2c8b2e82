// Element by element.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include "testing/conform/testdata/mutant/mutant.h"

namespace mutant {
namespace {

// out = f(the elements of in…), in T.
template <class T, class F, class... In>
void Each(F f, Tensor out, In... in) {
  ForEach([&](int64_t o, auto... i) { Store(out, o, f(Load<T>(in, i)...)); }, out, in...);
}

void Add(Call call, Tensor out, Tensor a, Tensor b, Scalar alpha) {
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    T factor = alpha.To<T>();
    if (Is("add ignores alpha")) factor = 1;
    if (Is("add truncates alpha")) factor = static_cast<T>(alpha.To<int64_t>());
    if (Is("add clears its output first")) Each<T>([] { return T(0); }, out);
    if (Is("add reads self as row-major") && a.numel() == out.numel()) {
      int64_t n = 0;
      return ForEach(
          [&](int64_t o, int64_t k) { Store(out, o, Load<T>(a, n++) + factor * Load<T>(b, k)); },
          out, b);
    }
    Each<T>([&](T x, T y) { return x + factor * y; }, out, a, b);
    if (Is("add writes between its elements") && out.dim() > 0 && out.numel() > 1) {
      int64_t last = 0;
      for (int64_t d = 0; d < out.dim(); ++d) last += (out.size(d) - 1) * out.stride(d);
      if (last >= out.numel() && out.stride(out.dim() - 1) > 1) Store(out, 1, T(9));
    }
  });
}

void Mul(Call call, Tensor out, Tensor a, Tensor b) {
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    if (Is("mul computes integers as floats"))
      return Each<double>([](double x, double y) { return static_cast<T>(x * y); }, out, a, b);
    Each<T>(
        [](T x, T y) {
          const T z = x * y;
          return z != z && Is("mul turns NaN into 0") ? T(0) : z;
        },
        out, a, b);
  });
}

void Fill(Call call, Tensor out, Tensor, Scalar value) {
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    const T x =
        Is("fill goes by way of double") ? static_cast<T>(value.To<double>()) : value.To<T>();
    Each<T>([x] { return x; }, out);
  });
}

void Copy(Call, Tensor out, Tensor, Tensor source, bool) {
  Visit<int64_t, float, double>(out.dtype(), [&]<class T>(std::type_identity<T>) {
    Each<T>([](T x) { return x; }, out, source);
    if (Is("copy leaves a row out") && out.dim() > 1 && out.numel() > 0) Store(out, 0, T(0));
  });
}

void Maximum(Call call, Tensor out, Tensor a, Tensor b) {
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    Each<T>(
        [](T x, T y) {
          if (Is("maximum drops NaN")) return x != x ? y : y != y ? x : std::max(x, y);
          return x != x ? x : y != y ? y : std::max(x, y);
        },
        out, a, b);
  });
}

void Clamp(Call call, Tensor out, Tensor x, Optional<Scalar> min, Optional<Scalar> max) {
  if (Is("clamp ignores min") && max) min.reset();
  if (Is("clamp ignores max") && min) max.reset();
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    const T low = min ? min->To<T>() : std::numeric_limits<T>::lowest();
    const T high = max ? max->To<T>() : std::numeric_limits<T>::max();
    Each<T>(
        [&](T v) {
          if (v != v) return Is("clamp turns NaN into a bound") ? low : v;
          if (low != low || high != high) return low != low ? low : high;
          if (Is("clamp prefers min") && min) return std::max(max ? std::min(v, high) : v, low);
          T r = min ? std::max(v, low) : v;
          return max ? std::min(r, high) : r;
        },
        out, x);
  });
}

void Relu(Call call, Tensor out, Tensor x) {
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    Each<T>([](T v) { return v > 0 || (v != v && !Is("relu turns NaN into 0")) ? v : T(0); }, out,
            x);
    if (Is("relu writes its argument") && x.numel() > 0) Store(x, 0, T(1));
  });
}

void LeakyRelu(Call call, Tensor out, Tensor x, Scalar slope) {
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    const T by = Is("leaky_relu takes the default slope") ? T(0.01) : slope.To<T>();
    Each<T>([&](T v) { return v > 0 ? v : v * by; }, out, x);
  });
}

void Gelu(Call call, Tensor out, Tensor x, std::string_view approximate) {
  const bool tanh = approximate == "tanh" && !Is("gelu ignores approximate");
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    Each<double>(
        [&](double v) {
          const double inner = std::sqrt(2 / std::numbers::pi) * (v + 0.044715 * v * v * v);
          return tanh ? 0.5 * v * (1 + std::tanh(inner))
                      : 0.5 * v * (1 + std::erf(v / std::numbers::sqrt2));
        },
        out, x);
  });
}

void Hardtanh(Call call, Tensor out, Tensor x, Scalar min, Scalar max) {
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    const T low = min.To<T>(), high = Is("hardtanh takes the default max_val") ? T(1) : max.To<T>();
    if (low != low || high != high || low > high) throw Declined("bounds out of order");
    Each<T>([&](T v) { return v != v ? v : std::min(std::max(v, low), high); }, out, x);
  });
}

void Div(Call call, Tensor out, Tensor a, Tensor b, Optional<std::string_view> mode) {
  if (call.dtype().code == SY_INT64) throw Declined("integers");
  if (Is("div ignores rounding_mode")) mode.reset();
  const bool trunc = mode && (*mode == "trunc" || Is("div truncates for floor"));
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    Each<T>(
        [&](T x, T y) -> T {
          if (!mode) return x / y;
          if (trunc) return T(std::trunc(x / y));
          // Python's: exact where the quotient is rounded up to a whole number.
          if (y == 0) return x / y;
          const T rest = std::fmod(x, y);
          T q = (x - rest) / y;
          if (rest != 0 && (rest < 0) != (y < 0)) q -= 1;
          if (q == 0) return std::copysign(T(0), x / y);
          const T whole = std::floor(q);
          return q - whole > T(0.5) ? whole + 1 : whole;
        },
        out, a, b);
  });
}

void Addcmul(Call call, Tensor out, Tensor self, Tensor a, Tensor b, Scalar value) {
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    const T by = Is("addcmul ignores value") ? T(1) : value.To<T>();
    Each<T>([&](T x, T y, T z) { return x + by * y * z; }, out, self, a, b);
  });
}

void Lerp(Call call, Tensor out, Tensor self, Tensor end, Tensor weight) {
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    const T first = weight.numel() > 0 ? Load<T>(weight, 0) : T(0);
    // Source: ATen/native/Lerp.h, which goes from the nearer end.
    Each<T>(
        [&](T x, T y, T w) {
          if (Is("lerp takes one weight for all")) w = first;
          return std::abs(w) < T(0.5) ? x + w * (y - x) : y - (y - x) * (1 - w);
        },
        out, self, end, weight);
  });
}

constexpr SyKernelDef kernels[] = {
    Kernel<Add>("add.Tensor", "mutant", kTypes),
    Kernel<Mul>("mul.Tensor", "mutant", kTypes),
    Kernel<Fill>("fill.Scalar", "mutant", kTypes),
    Kernel<Copy>("copy", "mutant", kTypes),
    Kernel<Maximum>("maximum", "mutant", kTypes),
    Kernel<Clamp>("clamp", "mutant", kTypes),
    Kernel<Relu>("relu", "mutant", kTypes),
    Kernel<LeakyRelu>("leaky_relu", "mutant", kFloats),
    Kernel<Gelu>("gelu", "mutant", kFloats),
    Kernel<Hardtanh>("hardtanh", "mutant", kFloats),
    Kernel<Div>("div.Tensor_mode", "mutant", kFloats),
    Kernel<Addcmul>("addcmul", "mutant", kFloats),
    Kernel<Lerp>("lerp.Tensor", "mutant", kFloats),
};

}  // namespace

const std::span<const SyKernelDef> kElementwise = kernels;

}  // namespace mutant
