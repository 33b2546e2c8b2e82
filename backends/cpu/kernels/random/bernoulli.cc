// Source: bernoulli_kernel, ATen/native/cpu/DistributionTemplates.h. What PyTorch draws from MKL on
// Intel processors is drawn here as it does everywhere else.
#include <mutex>
#include <optional>
#include <vector>

#include "backends/cpu/random/fill.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/common/dtypes.h"

namespace sy::cpu {
namespace {

template <class T>
T FromBool(bool b) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return T(b ? 1.f : 0.f);
  } else {
    return static_cast<T>(b);
  }
}

void BernoulliNumber(Call call, const Tensor& out, const Tensor&, double p, Generator* generator) {
  if (out.numel() == 0) return;
  Generator& g = GeneratorOf(call, generator);
  std::lock_guard lock(g.mutex());
  const FillTarget t(out);
  VisitDType<kRealOrBoolTypes>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    Fill<T, 2>(g, t, [p](const uint32_t* words, T* x, int64_t n) {
      for (int64_t i = 0; i < n; ++i) x[i] = FromBool<T>(UniformDouble(words + 2 * i) < p);
    });
  });
}

// p: strides to visit it with the sizes of out.
std::vector<int64_t> ExpandedStrides(const Tensor& p, const Tensor& out) {
  std::vector<int64_t> strides(out.dim(), 0);
  const int64_t skipped = out.dim() - p.dim();
  for (int64_t d = 0; d < p.dim(); ++d) {
    if (p.sizes()[d] != 1) strides[d + skipped] = p.strides()[d];
  }
  return strides;
}

template <class P>
void RequireProbabilities(Call call, const P* p, const Visit& visit, int64_t n) {
  Cursor(visit).Next(n, [&](int64_t, int64_t at, int64_t) {
    const double value = static_cast<double>(p[at]);
    if (!(value >= 0 && value <= 1)) FailProbability(call.op(), value);
  });
}

// P double draws 53 bits for each element, the others 24.
template <class T, class P>
void Run(Generator& g, T* x, const P* p, const Visit& visit, int64_t n) {
  constexpr bool kDouble = std::is_same_v<P, double>;
  constexpr int kWords = kDouble ? 2 : 1;
  uint32_t words[kFillChunk * kWords];
  Cursor cursor(visit);
  for (int64_t begin = 0; begin < n; begin += kFillChunk) {
    const int64_t m = std::min(kFillChunk, n - begin);
    g.Draw({words, static_cast<size_t>(m * kWords)});
    cursor.Next(m, [&](int64_t to, int64_t from, int64_t i) {
      if constexpr (kDouble) {
        x[to] = FromBool<T>(UniformDouble(words + 2 * i) < p[from]);
      } else {
        x[to] = FromBool<T>(UniformFloat(words[i]) < static_cast<float>(p[from]));
      }
    });
  }
}

void BernoulliTensor(Call call, const Tensor& out, const Tensor&, const Tensor& p,
                     Generator* generator) {
  if (out.numel() == 0) return;
  Generator& g = GeneratorOf(call, generator);
  const Visit visit = VisitOf(out.sizes(), out.strides(), ExpandedStrides(p, out));
  VisitDType<kFloatingTypes>(p.dtype(), [&](auto p_tag) {
    using P = typename decltype(p_tag)::type;
    const P* probabilities = p.data<P>();
    RequireProbabilities(call, probabilities, visit, out.numel());
    std::lock_guard lock(g.mutex());
    VisitDType<kRealOrBoolTypes>(out.dtype(), [&](auto tag) {
      Run(g, out.data<typename decltype(tag)::type>(), probabilities, visit, out.numel());
    });
  });
}

const Kernel number_kernel{"bernoulli_.float", "cpu", kRealOrBoolTypes, BernoulliNumber};
const Kernel tensor_kernel{"bernoulli_.Tensor", "cpu", kRealOrBoolTypes, BernoulliTensor};

}  // namespace
}  // namespace sy::cpu
