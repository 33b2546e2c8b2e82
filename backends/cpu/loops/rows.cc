// Loops over rows, for one instruction set.

#include "switchyard/backends/cpu/engine/rows.h"

#include "switchyard/backends/cpu/simd/io.h"
#include "switchyard/backends/cpu/simd/math.h"

namespace sy::cpu::SY_ISA {
namespace {

constexpr size_t kBlock = 4096;  // elements whose sum is kept in lanes

template <class T>
struct Rows {
  using I = Io<T>;
  using V = typename I::V;
  using E = typename V::Element;
  static constexpr size_t kLanes = I::kLanes;
  static constexpr bool kNarrow = sizeof(T) < sizeof(E);  // results cannot be kept in out

  // The last k < kLanes elements.
  static SY_FN V LoadPart(const void* p, size_t i, size_t k, E fill) {
    E b[kLanes];
    for (size_t j = 0; j < kLanes; ++j) b[j] = j < k ? I::LoadOne(p, i + j).v : fill;
    return V::Load(b);
  }
  static SY_FN void StorePart(void* p, size_t i, size_t k, V v) {
    E b[kLanes];
    v.Store(b);
    for (size_t j = 0; j < k; ++j) I::StoreOne(p, i + j, Num<E>(b[j]));
  }
  // out = f(in), element by element; f(i, x, k): of the k elements from i on.
  template <class F>
  static SY_FN void Map(void* out, const void* in, size_t n, F f) {
    size_t i = 0;
    for (; i + kLanes <= n; i += kLanes) I::Store(out, i, f(i, I::Load(in, i), kLanes));
    if (i < n) StorePart(out, i, n - i, f(i, LoadPart(in, i, n - i, E(0)), n - i));
  }
  // The sum of f(i, x, k).
  template <class F>
  static SY_FN double Sum(const void* in, size_t n, F f) {
    double total = 0;
    for (size_t begin = 0; begin < n; begin += kBlock) {
      const size_t end = n - begin < kBlock ? n : begin + kBlock;
      V s0(E(0)), s1(E(0)), s2(E(0)), s3(E(0));
      size_t i = begin;
      for (; i + 4 * kLanes <= end; i += 4 * kLanes) {
        s0 = s0 + f(i, I::Load(in, i), kLanes);
        s1 = s1 + f(i + kLanes, I::Load(in, i + kLanes), kLanes);
        s2 = s2 + f(i + 2 * kLanes, I::Load(in, i + 2 * kLanes), kLanes);
        s3 = s3 + f(i + 3 * kLanes, I::Load(in, i + 3 * kLanes), kLanes);
      }
      for (; i + kLanes <= end; i += kLanes) s0 = s0 + f(i, I::Load(in, i), kLanes);
      const V s = (s0 + s1) + (s2 + s3);
      E lanes = E(0);
      for (size_t j = 0; j < kLanes; ++j) lanes += s.v[j];
      if (i < end) {
        const V last = f(i, LoadPart(in, i, end - i, E(0)), end - i);
        for (size_t j = 0; j < end - i; ++j) lanes += last.v[j];
      }
      total += static_cast<double>(lanes);
    }
    return total;
  }

  static SY_FN V Larger(V a, V b) { return select(a > b, a, b); }
  static double Max(const void* in, size_t n) {
    const V lowest(E(-__builtin_inf()));
    V m0 = lowest, m1 = lowest, m2 = lowest, m3 = lowest;
    size_t i = 0;
    for (; i + 4 * kLanes <= n; i += 4 * kLanes) {
      m0 = Larger(I::Load(in, i), m0);
      m1 = Larger(I::Load(in, i + kLanes), m1);
      m2 = Larger(I::Load(in, i + 2 * kLanes), m2);
      m3 = Larger(I::Load(in, i + 3 * kLanes), m3);
    }
    for (; i + kLanes <= n; i += kLanes) m0 = Larger(I::Load(in, i), m0);
    if (i < n) m1 = Larger(LoadPart(in, i, n - i, lowest.v[0]), m1);
    const V m = Larger(Larger(m0, m1), Larger(m2, m3));
    E max = m.v[0];
    for (size_t j = 1; j < kLanes; ++j) max = m.v[j] > max ? m.v[j] : max;
    return static_cast<double>(max);
  }

  // The sum of e^(x - shift), which is kept in out where kKeep.
  template <bool kKeep>
  static SY_FN double SumOfExp(void* out, const void* in, size_t n, E shift) {
    const V s(shift), lowest(E(-__builtin_inf()));
    double total = 0;
    for (size_t begin = 0; begin < n; begin += kBlock) {
      const size_t end = n - begin < kBlock ? n : begin + kBlock;
      V sum(E(0));
      for (size_t i = begin; i < end; i += kLanes) {
        const bool whole = i + kLanes <= end;
        const V x = whole ? I::Load(in, i) : LoadPart(in, i, end - i, lowest.v[0]);
        const V e = exp(x - s);
        sum = sum + e;
        if constexpr (kKeep) {
          if (whole) {
            I::Store(out, i, e);
          } else {
            StorePart(out, i, end - i, e);
          }
        }
      }
      E lanes = E(0);
      for (size_t j = 0; j < kLanes; ++j) lanes += sum.v[j];
      total += static_cast<double>(lanes);
    }
    return total;
  }
  static double ExpSum(void* out, const void* in, size_t n, double shift) {
    return SumOfExp<true>(out, in, n, static_cast<E>(shift));
  }

  static void Softmax(void* out, const void* in, size_t n) {
    const E max = static_cast<E>(Max(in, n));
    if constexpr (kNarrow) {
      const V inverse(static_cast<E>(1 / SumOfExp<false>(nullptr, in, n, max))), m(max);
      Map(out, in, n, [=](size_t, V x, size_t) { return exp(x - m) * inverse; });
    } else {
      const double sum = SumOfExp<true>(out, in, n, max);
      Scale(out, out, n, 1 / sum, 0);
    }
  }
  // 16-bit floats: sum and logarithm are rounded to them. Source: vec_log_softmax_lastdim_kernel.
  static SY_FN double Rounded(double x) {
    if constexpr (kNarrow) {
      T t;
      I::StoreOne(&t, 0, Num<E>(static_cast<E>(x)));
      return static_cast<double>(I::LoadOne(&t, 0).v);
    }
    return x;
  }
  static void LogSoftmax(void* out, const void* in, size_t n) {
    const E max = static_cast<E>(Max(in, n));
    const double sum = Rounded(SumOfExp<false>(nullptr, in, n, max));
    const V m(max), log(static_cast<E>(Rounded(__builtin_log(sum))));
    Map(out, in, n, [=](size_t, V x, size_t) { return (x - m) - log; });
  }

  // kV vectors of columns, or, where kV is 1, the first `part` of one.
  template <int kV>
  static SY_FN void ColumnBlock(void* out, const void* in, size_t n, size_t stride, size_t part,
                                bool log_of_it) {
    const auto load = [=](size_t at) {
      return kV > 1 || part == kLanes ? I::Load(in, at) : LoadPart(in, at, part, E(0));
    };
    const auto store = [=](size_t at, V v) {
      if (kV > 1 || part == kLanes) {
        I::Store(out, at, v);
      } else {
        StorePart(out, at, part, v);
      }
    };
    V max[kV], sum[kV];
    for (int j = 0; j < kV; ++j) {
      max[j] = V(E(-__builtin_inf()));
      sum[j] = V(E(0));
    }
    for (size_t i = 0; i < n; ++i) {
      for (int j = 0; j < kV; ++j) max[j] = Larger(load(i * stride + j * kLanes), max[j]);
    }
    const bool keep = !kNarrow && !log_of_it;
    for (size_t i = 0; i < n; ++i) {
      for (int j = 0; j < kV; ++j) {
        const V e = exp(load(i * stride + j * kLanes) - max[j]);
        sum[j] = sum[j] + e;
        if (keep) store(i * stride + j * kLanes, e);
      }
    }
    for (int j = 0; j < kV; ++j) sum[j] = log_of_it ? log(sum[j]) : V(E(1)) / sum[j];
    for (size_t i = 0; i < n; ++i) {
      for (int j = 0; j < kV; ++j) {
        const size_t at = i * stride + j * kLanes;
        if (log_of_it) {
          store(at, load(at) - max[j] - sum[j]);
        } else if (kNarrow) {
          store(at, exp(load(at) - max[j]) * sum[j]);
        } else {
          const V e = kV > 1 || part == kLanes ? I::Load(out, at) : LoadPart(out, at, part, E(0));
          store(at, e * sum[j]);
        }
      }
    }
  }
  static void SoftmaxColumns(void* out, const void* in, size_t n, size_t stride, size_t width,
                             bool log_of_it) {
    size_t c = 0;
    for (; c + 4 * kLanes <= width; c += 4 * kLanes)
      ColumnBlock<4>(At<T>(out, c), At<T>(in, c), n, stride, kLanes, log_of_it);
    for (; c < width; c += kLanes) {
      const size_t part = width - c < kLanes ? width - c : kLanes;
      ColumnBlock<1>(At<T>(out, c), At<T>(in, c), n, stride, part, log_of_it);
    }
  }

  // Another row beside one of k elements.
  static SY_FN V Beside(const void* p, size_t i, size_t k) {
    return k == kLanes ? I::Load(p, i) : LoadPart(p, i, k, E(0));
  }
  static void SoftmaxBackward(void* out, const void* grad, const void* y, size_t n) {
    const V sum(
        static_cast<E>(Sum(grad, n, [=](size_t i, V g, size_t k) { return g * Beside(y, i, k); })));
    Map(out, grad, n, [=](size_t i, V g, size_t k) { return (g - sum) * Beside(y, i, k); });
  }

  static void LogSoftmaxBackward(void* out, const void* grad, const void* y, size_t n) {
    const V sum(static_cast<E>(Sum(grad, n, [](size_t, V g, size_t) { return g; })));
    Map(out, grad, n, [=](size_t i, V g, size_t k) { return g - exp(Beside(y, i, k)) * sum; });
  }

  static RowMoments Moments(const void* in, size_t n) {
    const double mean = Sum(in, n, [](size_t, V x, size_t) { return x; }) / static_cast<double>(n);
    const V m(static_cast<E>(mean));
    // The mean's own rounding is corrected: sum (x - m)^2 - n (mean - m)^2.
    const double square = Sum(in, n, [=](size_t, V x, size_t) { return (x - m) * (x - m); });
    const double off = mean - static_cast<double>(m.v[0]);
    const double corrected = square - static_cast<double>(n) * off * off;
    return {mean, corrected < 0 ? 0 : corrected};
  }
  static double SquareSum(const void* in, size_t n) {
    return Sum(in, n, [](size_t, V x, size_t) { return x * x; });
  }

  static void Normalize(void* out, const void* in, size_t n, double mean, double factor,
                        const void* weight, const void* bias) {
    using P = Rows<E>;  // weight and bias
    const V m(static_cast<E>(mean)), f(static_cast<E>(factor));
    const V shift(-m.v[0] * f.v[0]);
    Map(out, in, n, [=](size_t i, V x, size_t k) {
      V y;
      if constexpr (kNarrow) {  // as ATen, where the difference shows in the last bit
        y = fma(x, f, shift);
      } else {
        y = (x - m) * f;
      }
      if (weight != nullptr) y = y * P::Beside(weight, i, k);
      if (bias != nullptr) y = y + P::Beside(bias, i, k);
      return y;
    });
  }
  static void Scale(void* out, const void* in, size_t n, double scale, double shift) {
    const V a(static_cast<E>(scale)), b(static_cast<E>(shift));
    Map(out, in, n, [=](size_t, V x, size_t) { return x * a + b; });
  }

  static RowSlopes Slopes(const void* grad, const void* in, size_t n, double mean,
                          const void* weight) {
    using P = Rows<E>;
    const V m(static_cast<E>(mean));
    const auto weighted = [=](size_t i, V g, size_t k) {
      return weight == nullptr ? g : g * P::Beside(weight, i, k);
    };
    const double centred = Sum(grad, n, [=](size_t i, V g, size_t k) {
      return weighted(i, g, k) * (Beside(in, i, k) - m);
    });
    return {Sum(grad, n, weighted), centred};
  }
  static void NormalizeBackward(void* out, const void* grad, const void* in, size_t n, double mean,
                                double factor, double slope, double shift, const void* weight) {
    using P = Rows<E>;
    const V m(static_cast<E>(mean)), f(static_cast<E>(factor)), s(static_cast<E>(slope)),
        b(static_cast<E>(shift));
    Map(out, grad, n, [=](size_t i, V g, size_t k) {
      if (weight != nullptr) g = g * P::Beside(weight, i, k);
      return g * f + ((Beside(in, i, k) - m) * s + b);
    });
  }
  static void AddSlopes(void* to_weight, void* to_bias, const void* grad, const void* in, size_t n,
                        double mean, double factor) {
    using P = Rows<E>;
    const V m(static_cast<E>(mean)), f(static_cast<E>(factor));
    if (to_weight != nullptr) {
      P::Map(to_weight, to_weight, n, [=](size_t i, V sum, size_t k) {
        return sum + Beside(grad, i, k) * ((Beside(in, i, k) - m) * f);
      });
    }
    if (to_bias != nullptr) {
      P::Map(to_bias, to_bias, n,
             [=](size_t i, V sum, size_t k) { return sum + Beside(grad, i, k); });
    }
  }

  static constexpr RowLoops kLoops = {
      &Softmax, &LogSoftmax, &SoftmaxColumns,    &SoftmaxBackward, &LogSoftmaxBackward,
      &Max,     &ExpSum,     &Moments,           &SquareSum,       &Normalize,
      &Scale,   &Slopes,     &NormalizeBackward, &AddSlopes};
};

}  // namespace

extern constexpr RowTable rows = {Rows<Float16>::kLoops, Rows<BFloat16>::kLoops,
                                  Rows<float>::kLoops, Rows<double>::kLoops};

}  // namespace sy::cpu::SY_ISA
