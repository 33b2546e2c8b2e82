// Dimensions folded into one value each, and along one.

#include <algorithm>
#include <cmath>
#include <limits>

#include "testing/conform/testdata/mutant/mutant.h"

namespace mutant {
namespace {

using Dims = Optional<Span<const int64_t>>;

// Which dimensions of x are folded: all of them where none is named.
std::vector<bool> Folded(Tensor x, const Dims& dims, std::string_view op) {
  const auto is = [&](const char* fault) { return op == "sum" && Is(fault); };
  if (!dims || dims->empty())
    return std::vector<bool>(static_cast<size_t>(x.dim()),
                             !(dims && is("sum of dim=[] sums nothing")));
  std::vector<bool> folded(static_cast<size_t>(x.dim()));
  if (x.dim() == 0) return folded;
  for (const int64_t d : *dims) {
    folded[d < 0 && is("sum reads negative dims as 0") ? 0 : Wrap(x, d)] = true;
    if (is("sum takes the first of several dims")) break;
  }
  return folded;
}

// Calls f(position in out, the elements that are folded there).
template <class T, class F>
void Fold(Tensor out, Tensor x, const std::vector<bool>& folded, F f) {
  Position kept, inner;
  for (size_t d = 0; d < folded.size(); ++d) {
    kept.push_back(folded[d] ? 1 : x.size(static_cast<int64_t>(d)));
    inner.push_back(folded[d] ? x.size(static_cast<int64_t>(d)) : 1);
  }
  const bool keepdim = out.dim() == x.dim();
  ForEachPosition(Span<const int64_t>(kept.data(), kept.size()), [&](const Position& at) {
    std::vector<T> elements;
    ForEachPosition(Span<const int64_t>(inner.data(), inner.size()), [&](const Position& in) {
      Position full(at);
      for (size_t d = 0; d < full.size(); ++d) full[d] += in[d];
      elements.push_back(Get<T>(x, full));
    });
    Position to;
    for (size_t d = 0; d < at.size(); ++d) {
      if (keepdim || !folded[d]) to.push_back(at[d]);
    }
    to.resize(static_cast<size_t>(out.dim()));  // a fault may have folded others
    f(to, elements);
  });
}

void Sum(Call call, Tensor out, Tensor x, Dims dims, bool, Optional<DType>) {
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    Fold<T>(out, x, Folded(x, dims, "sum"), [&](const Position& at, const std::vector<T>& all) {
      T sum = all.empty() && Is("sum of nothing is 1") ? 1 : 0;
      for (const T v : all) {
        sum += v;
        if (Is("sum keeps 32 bits")) sum = static_cast<T>(static_cast<float>(sum));
      }
      Set(out, at, sum);
    });
  });
}

void Mean(Call call, Tensor out, Tensor x, Dims dims, bool, Optional<DType>) {
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    Fold<T>(out, x, Folded(x, dims, "mean"), [&](const Position& at, const std::vector<T>& all) {
      T sum = 0;
      for (const T v : all) sum += v;
      const auto n = static_cast<T>(all.size());
      const bool wrong = Is("mean divides by the first size") && x.dim() > 0;
      Set(out, at, sum / (wrong ? static_cast<T>(x.size(0)) : n));
    });
  });
}

void Amax(Call call, Tensor out, Tensor x, Span<const int64_t> dims, bool) {
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    Fold<T>(out, x, Folded(x, dims, "amax"), [&](const Position& at, const std::vector<T>& all) {
      T most = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                    : std::numeric_limits<T>::lowest();
      if (Is("amax starts at 0")) most = 0;
      for (const T v : all)
        most = most != most || v <= most                   ? most
               : v == v || !Is("amax turns NaN into -inf") ? v
                                                           : most;
      Set(out, at, most);
    });
  });
}

void Prod(Call call, Tensor out, Tensor x, int64_t dim, bool, Optional<DType>) {
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    const int64_t one[] = {dim};
    Fold<T>(out, x, Folded(x, Dims(one), "prod"),
            [&](const Position& at, const std::vector<T>& all) {
              T product = all.empty() && Is("prod of nothing is 0") ? 0 : 1;
              for (const T v : all) product *= v;
              Set(out, at, product);
            });
  });
}

void Var(Call call, Tensor out, Tensor x, Dims dims, Optional<Scalar> correction, bool) {
  const double less = correction && !Is("var ignores correction") ? correction->To<double>() : 1;
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    Fold<double>(
        out, x, Folded(x, dims, "var"), [&](const Position& at, const std::vector<double>& all) {
          const auto n = static_cast<double>(all.size());
          double mean = all.empty() ? std::numeric_limits<double>::quiet_NaN() : 0, sum = mean;
          for (const double v : all) mean += v / n;
          for (const double v : all) sum += (v - mean) * (v - mean);
          Set(out, at, sum / std::max(0.0, n - less));
        });
  });
}

void Argmax(Call call, Tensor out, Tensor x, Optional<int64_t> dim, bool) {
  if (!dim && Is("argmax takes dim 0 for none")) dim = 0;
  const int64_t one[] = {dim.value_or(0)};
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    Fold<T>(out, x, Folded(x, dim ? Dims(one) : Dims(), "argmax"),
            [&](const Position& at, const std::vector<T>& all) {
              size_t best = 0;
              for (size_t i = 1; i < all.size(); ++i) {
                const bool nan = all[i] != all[i] && !Is("argmax passes NaN by");
                if (all[best] == all[best] && (nan || all[i] > all[best])) best = i;
              }
              Set(out, at, static_cast<int64_t>(best));
            });
  });
}

// Calls f(one line of x along dim, of out).
template <class F>
void Lines(Tensor out, Tensor x, size_t dim, F f) {
  Position sizes(x.sizes().begin(), x.sizes().end());
  if (sizes.empty()) return f(Position(), int64_t{1});
  const int64_t n = sizes[dim];
  sizes[dim] = n == 0 ? 0 : 1;
  static_cast<void>(out);
  ForEachPosition(Span<const int64_t>(sizes.data(), sizes.size()),
                  [&](const Position& at) { f(at, n); });
}
Position Along(Position at, size_t dim, int64_t i) {
  if (!at.empty()) at[dim] = i;
  return at;
}

void Cumsum(Call call, Tensor out, Tensor x, int64_t dim, Optional<DType>) {
  const size_t d = Is("cumsum runs along the last dim") && x.dim() > 0
                       ? static_cast<size_t>(x.dim() - 1)
                       : Wrap(x, dim);
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    Lines(out, x, d, [&](const Position& at, int64_t n) {
      T sum = 0;
      for (int64_t i = 0; i < n; ++i) Set(out, Along(at, d, i), sum += Get<T>(x, Along(at, d, i)));
    });
  });
}

void Softmax(Call call, Tensor out, Tensor x, int64_t dim, bool half_to_float) {
  if (half_to_float) throw Declined("float32 of 16 bits");
  const size_t d = Is("softmax runs along dim 0") ? 0 : Wrap(x, dim);
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    Lines(out, x, d, [&](const Position& at, int64_t n) {
      double most = -std::numeric_limits<double>::infinity(), sum = 0;
      for (int64_t i = 0; i < n; ++i) most = std::max(most, Get<double>(x, Along(at, d, i)));
      if (Is("softmax does not subtract the maximum")) most = 0;
      const auto power = [&](int64_t i) {
        return static_cast<double>(
            static_cast<T>(std::exp(Get<double>(x, Along(at, d, i)) - most)));
      };
      for (int64_t i = 0; i < n; ++i) sum += power(i);
      std::vector<double> line;
      for (int64_t i = 0; i < n; ++i) line.push_back(power(i) / sum);
      for (int64_t i = 0; i < n; ++i) Set(out, Along(at, d, i), line[static_cast<size_t>(i)]);
    });
  });
}

constexpr SyKernelDef kernels[] = {
    Kernel<Sum>("sum.dim_IntList", "mutant", kTypes),
    Kernel<Mean>("mean.dim", "mutant", kFloats),
    Kernel<Amax>("amax", "mutant", kTypes),
    Kernel<Prod>("prod.dim_int", "mutant", kTypes),
    Kernel<Var>("var.correction", "mutant", kFloats),
    Kernel<Argmax>("argmax", "mutant", kTypes),
    Kernel<Cumsum>("cumsum", "mutant", kTypes),
    Kernel<Softmax>("_softmax", "mutant", kFloats),
};

}  // namespace

const std::span<const SyKernelDef> kReductions = kernels;

}  // namespace mutant
