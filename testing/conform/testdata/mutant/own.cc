// Operators of the plugin's own. Those with a kernel for cpu are measured by it, which never has a
// fault; smooth has none here, and reference.cc is a plugin with one.

#include <algorithm>
#include <optional>

#include "testing/conform/testdata/mutant/mutant.h"
#include "testing/conform/testdata/mutant/smooth.h"

namespace mutant {
namespace {

constexpr bool kReference = false, kMutant = true;

// Whether this kernel has the fault: those of the reference never do.
template <bool kCanFail>
bool Has(const char* fault) {
  return kCanFail && Is(fault);
}

void LikeX(Rule& r, Tensor x) { r.Pointwise({x}); }

void ScaleRule(Rule& r, Tensor x, double, Scalar, bool) { LikeX(r, x); }
template <bool kM>
void Scale(Call, Tensor out, Tensor x, double by, Scalar plus, bool negate) {
  if (Has<kM>("scale ignores by")) by = 2;
  const double more = Has<kM>("scale ignores plus") ? 0 : plus.To<double>();
  if (Has<kM>("scale ignores negate")) negate = false;
  if (Has<kM>("scale clears its output first"))
    ForEach([&](int64_t o) { Store(out, o, 0.0); }, out);
  ForEach(
      [&](int64_t o, int64_t i) {
        double v = Load<double>(x, i) * by + more;
        if (v != v && Has<kM>("scale turns NaN into 0")) v = 0;
        Store(out, o, negate ? -v : v);
      },
      out, x);
}

// x: any sizes, at: positions among its elements   →   [how many]
void PickRule(Rule& r, Tensor x, Span<const int64_t> at, Optional<double>) {
  const int64_t n[] = {static_cast<int64_t>(at.size())};
  r.Add(n, x.dtype());
}
template <bool kM>
void Pick(Call, Tensor out, Tensor x, Span<const int64_t> at, Optional<double> otherwise) {
  if (Has<kM>("pick ignores otherwise")) otherwise.reset();
  int64_t n = 0;
  std::vector<double> all;
  ForEachPosition(x.sizes(), [&](const Position& p) { all.push_back(Get<double>(x, p)); });
  for (int64_t i : at) {
    if (Has<kM>("pick takes the first position for all")) i = at[0];
    const bool inside = i >= 0 && i < static_cast<int64_t>(all.size());
    Set(out, {n++}, inside ? all[static_cast<size_t>(i)] : otherwise.value_or(0));
  }
}

void JoinRule(Rule& r, Tensor a, Tensor b) {
  if (b.defined())
    r.Pointwise({a, b});
  else
    r.Pointwise({a});
}
template <bool kM>
void Join(Call, Tensor out, Tensor a, Tensor b) {
  if (!b.defined() || Has<kM>("join ignores b"))
    return ForEach([&](int64_t o, int64_t i) { Store(out, o, Load<double>(a, i)); }, out, a);
  ForEach([&](int64_t o, int64_t i,
              int64_t k) { Store(out, o, Load<double>(a, i) - Load<double>(b, k)); },
          out, a, b);
}

void HalvesRule(Rule& r, Tensor x) {
  r.AddLike(x, x.dtype());
  r.AddLike(x, x.dtype());
}
template <bool kM>
void Halves(Call, Tensor low, Tensor high, Tensor x) {
  if (Has<kM>("halves swaps its results")) std::swap(low, high);
  ForEach(
      [&](int64_t l, int64_t h, int64_t i) {
        const double v = Load<double>(x, i);
        Store(low, l, v < 0 ? v : 0);
        Store(high, h, v < 0 ? 0 : v);
      },
      low, high, x);
}

void TotalRule(Rule& r, const std::vector<Tensor>& xs, Span<const double>) {
  if (xs.empty()) throw Error("no tensors");
  r.Add(Span<const int64_t>(), xs[0].dtype());
}
// The sum of all elements, those of the i-th tensor times the i-th weight, or 1.
template <bool kM>
void Total(Call, Tensor out, std::vector<Tensor> xs, Span<const double> weights) {
  double sum = 0;
  for (size_t i = 0; i < xs.size(); ++i) {
    const bool weighed = i < weights.size() && !Has<kM>("total ignores weights");
    ForEachPosition(xs[i].sizes(), [&](const Position& at) {
      sum += Get<double>(xs[i], at) * (weighed ? weights[i] : 1);
    });
    if (Has<kM>("total stops after two tensors") && i == 1) break;
  }
  Set(out, {}, sum);
}

// q: int8 numbers, a scale for each of their columns   →   like q, float32
void DequantizeRule(Rule& r, Tensor q, Tensor scales) {
  if (q.dtype() != DType{SY_INT8} || scales.dtype() != DType{SY_FLOAT32})
    throw Error("q must be int8 and scales float32");
  if (q.dim() == 0 || scales.dim() != 1 || scales.size(0) != q.size(q.dim() - 1))
    throw Error("scales must be as many as q has columns");
  r.AddLike(q, DType{SY_FLOAT32});
}
template <bool kM>
void Dequantize(Call, Tensor out, Tensor q, Tensor scales) {
  const bool one = Has<kM>("dequantize takes one scale for all");
  ForEachPosition(q.sizes(), [&](const Position& at) {
    const double scale = Get<double>(scales, {one ? 0 : at.back()});
    double v = Get<double>(q, at);
    if (v < 0 && Has<kM>("dequantize takes q for unsigned")) v += 256;
    Set(out, at, v * scale);
  });
}

// x: [.., k], weight: [m, k], int8, scales of x and of each row of the weight, bias: [m]
//   →   [.., m], float32
void QuantizedRule(Rule& r, Tensor x, double scale, Tensor weight, Tensor scales, Tensor bias) {
  const DType bytes{SY_INT8}, floats{SY_FLOAT32};
  if (x.dtype() != bytes || weight.dtype() != bytes || scales.dtype() != floats ||
      (bias.defined() && bias.dtype() != floats))
    throw Error("x and weight must be int8, weight_scale and bias float32");
  if (!(scale > 0)) throw Error("scale must be positive");
  if (x.dim() == 0 || weight.dim() != 2 || x.size(x.dim() - 1) != weight.size(1))
    throw Error("x must have as many columns as weight");
  for (Tensor t : {scales, bias}) {
    if (t.defined() && (t.dim() != 1 || t.size(0) != weight.size(0)))
      throw Error("weight_scale and bias must be as many as weight has rows");
  }
  std::vector<int64_t> sizes(x.sizes().begin(), x.sizes().end());
  sizes.back() = weight.size(0);
  r.Add(sizes, floats);
}
template <bool kM>
void Quantized(Call, Tensor out, Tensor x, double scale, Tensor weight, Tensor scales,
               Tensor bias) {
  const bool biased = bias.defined() && !Has<kM>("quantized ignores bias");
  const bool one = Has<kM>("quantized takes the first weight_scale for all");
  ForEachPosition(out.sizes(), [&](const Position& at) {
    Position from = at;
    double sum = 0;
    for (int64_t k = 0; k < weight.size(1); ++k) {
      from.back() = k;
      sum += Get<double>(x, from) * Get<double>(weight, {at.back(), k});
    }
    const double by = Get<double>(scales, {one ? 0 : at.back()});
    Set(out, at, sum * scale * by + (biased ? Get<double>(bias, {at.back()}) : 0));
  });
}

void SmoothRule(Rule& r, Tensor x, double) { r.AddLike(x, x.dtype()); }
void SmoothHere(Call call, Tensor out, Tensor x, double by) {
  static double left = 0;
  static volatile uintptr_t bad = 8;  // unknown to the compiler
  if (Is("smooth follows a bad address")) by += *reinterpret_cast<volatile int*>(bad);
  if (Is("smooth takes another by")) by = 0.5;
  if (Is("smooth reads x as row-major")) {
    int64_t n = 0;
    return ForEach([&](int64_t o) { Store(out, o, Load<double>(x, n++) * by); }, out);
  }
  Smooth(call, out, x, by);
  if (Is("smooth keeps the last call's sum") && out.numel() > 0) {
    Store(out, 0, Load<double>(out, 0) + left);
    left += 1;
  }
}

constexpr SyOperatorDef operators[] = {
    RuleOperator<ScaleRule>(
        "mutant::scale(Tensor x, float by=2.0, *, Scalar plus=0, bool negate=False) -> Tensor",
        SY_OPERATOR_IN_PLACE | SY_OPERATOR_OUT),
    RuleOperator<PickRule>("mutant::pick(Tensor x, int[] at, float? otherwise=None) -> Tensor"),
    RuleOperator<JoinRule>("mutant::join(Tensor a, Tensor? b=None) -> Tensor"),
    RuleOperator<HalvesRule>("mutant::halves(Tensor x) -> (Tensor, Tensor)"),
    RuleOperator<TotalRule>("mutant::total(Tensor[] xs, float[] weights) -> Tensor"),
    RuleOperator<DequantizeRule>("mutant::dequantize(Tensor q, Tensor scales) -> Tensor"),
    RuleOperator<QuantizedRule>("mutant::quantized(Tensor x, float scale, Tensor weight, Tensor "
                                "weight_scale, Tensor? bias) "
                                "-> Tensor"),
    RuleOperator<SmoothRule>("mutant::smooth(Tensor x, float by=0.25) -> Tensor"),
};

constexpr SyKernelDef kernels[] = {
    Kernel<Scale<kMutant>>("mutant::scale", "mutant", kFloats),
    Kernel<Pick<kMutant>>("mutant::pick", "mutant", kFloats),
    Kernel<Join<kMutant>>("mutant::join", "mutant", kFloats),
    Kernel<Halves<kMutant>, 2>("mutant::halves", "mutant", kFloats),
    Kernel<Total<kMutant>>("mutant::total", "mutant", kFloats),
    Kernel<Dequantize<kMutant>>("mutant::dequantize", "mutant", SY_BIT(SY_FLOAT32)),
    Kernel<Quantized<kMutant>>("mutant::quantized", "mutant", SY_BIT(SY_FLOAT32)),
    Kernel<SmoothHere>("mutant::smooth", "mutant", kFloats),
    Kernel<Scale<kReference>>("mutant::scale", "cpu", kFloats),
    Kernel<Pick<kReference>>("mutant::pick", "cpu", kFloats),
    Kernel<Join<kReference>>("mutant::join", "cpu", kFloats),
    Kernel<Halves<kReference>, 2>("mutant::halves", "cpu", kFloats),
    Kernel<Total<kReference>>("mutant::total", "cpu", kFloats),
    Kernel<Dequantize<kReference>>("mutant::dequantize", "cpu", SY_BIT(SY_FLOAT32)),
    Kernel<Quantized<kReference>>("mutant::quantized", "cpu", SY_BIT(SY_FLOAT32)),
};

}  // namespace

const std::span<const SyOperatorDef> kOperators = operators;
const std::span<const SyKernelDef> kOwn = kernels;

}  // namespace mutant
