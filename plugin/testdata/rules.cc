// Operators with rules, on the host: what a rule can state, what kernels keep between calls, and
// what is wrong on request.

#include <cstdint>

#include "switchyard/c/plugin.hpp"

namespace {

using namespace sy::abi;

constexpr uint64_t kFloats = SY_BIT(SY_FLOAT32) | SY_BIT(SY_FLOAT64);

// --- Pointwise

void ScaleRule(Rule& r, Tensor x, double) { r.Pointwise({x}); }
void Scale(Call, Tensor out, Tensor x, double by) {
  Visit<float, double>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    ForEach([&](int64_t o, int64_t i) { out.data<T>()[o] = x.data<T>()[i] * static_cast<T>(by); },
            out, x);
  });
}

void LessRule(Rule& r, Tensor a, Tensor b) { r.Pointwise({a, b}, SY_PROMOTE_COMPARE); }
void Less(Call, Tensor out, Tensor a, Tensor b) {
  ForEach([&](int64_t o, int64_t i,
              int64_t j) { out.data<bool>()[o] = Load<double>(a, i) < Load<double>(b, j); },
          out, a, b);
}

void AddRule(Rule& r, Tensor a, Tensor b) { r.Pointwise({a, b}); }
void Add(Call, Tensor out, Tensor a, Tensor b) {
  Visit<float, double>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    ForEach(
        [&](int64_t o, int64_t i, int64_t j) { out.data<T>()[o] = Load<T>(a, i) + Load<T>(b, j); },
        out, a, b);
  });
}

// --- Others

// Integers are computed in float32, which alone has a kernel.
void MeanRule(Rule& r, Tensor x) {
  r.Add(Span<const int64_t>(), {SY_FLOAT32});
  if (x.numel() == 0) throw Error("a mean of nothing");
}
void Mean(Call, Tensor out, Tensor x) {
  double sum = 0;
  ForEach([&](int64_t i) { sum += Load<double>(x, i); }, x);
  out.data<float>()[0] = static_cast<float>(sum / static_cast<double>(x.numel()));
}

void BumpRule(Rule& r, Tensor self, int64_t, double) { r.AddStartsAs(self, 0); }
void Bump(Call, Tensor out, Tensor, int64_t at, double by) {
  out.data<float>()[at * out.stride(0)] += static_cast<float>(by);
}

void RowsRule(Rule& r, Tensor x, int64_t n) {
  if (n < 0) return;  // forgets to state it
  const int64_t sizes[] = {n, x.size(1)};
  r.View(sizes, x.strides(), r.StorageOffset(x));
}

// A copy that lies as x does.
void LikeRule(Rule& r, Tensor x) { r.AddLike(x, x.dtype()); }
void Like(Call, Tensor out, Tensor x) {
  ForEach([&](int64_t o, int64_t i) { out.data<float>()[o] = x.data<float>()[i]; }, out, x);
}

// Wrong for some sizes.
void HalvesRule(Rule& r, Tensor x) {
  const int64_t half[] = {x.numel() == 8 ? -4 : x.numel() / 2};
  r.Add(half, x.dtype());
  if (x.numel() == 7) return;
  SyOutput& second = r.Add(half, x.dtype());
  if (x.numel() == 9) second.dtype = 99;
  if (x.numel() == 10) second.starts_as = 5;
}
void Halves(Call, Tensor low, Tensor high, Tensor x) {
  for (int64_t i = 0; i < low.numel(); ++i) {
    low.data<float>()[i] = x.data<float>()[i];
    high.data<float>()[i] = x.data<float>()[low.numel() + i];
  }
}
// Of version 1.0: one of two outputs.
void ForgetsShape(Outputs& outputs, Tensor x) { outputs.Add(x.sizes(), x.dtype()); }

void Picky(Call, Tensor out, Tensor x) {
  if (x.dim() != 2) throw Declined("only matrices are served");
  out.data<float>()[0] = 1;
}
void SameShape(Outputs& outputs, Tensor x) { outputs.Add(x.sizes(), x.dtype()); }

// By another operator, which is looked up once.
void Twice(Call call, Tensor x) {
  static const Callee add("add.Tensor");
  call.SetOut(0, call.Run(add, {Boxed(x), Boxed(x), Boxed(int64_t{1})}));
}

// A copy in another dtype, element by element.
void ConvertRule(Rule& r, Tensor x, DType dtype) { r.AddLike(x, dtype); }
void Convert(Call, Tensor out, Tensor x, DType) {
  ForEach([&](int64_t o, int64_t i) { Store(out, o, Load<std::complex<double>>(x, i)); }, out, x);
}

// --- What is kept: [0] how often it was made, [1] how many are alive

int64_t made = 0, alive = 0;
struct State {
  State() {
    ++made;
    ++alive;
  }
  ~State() { --alive; }
};
void CountsRule(Rule& r, Tensor, Tensor) {
  const int64_t sizes[] = {2};
  r.Add(sizes, {SY_INT64});
}
// By the second tensor where `by` is 2, and by the sizes of the first one.
void Count(Call call, Tensor out, Tensor x, uint64_t by) {
  const auto bytes = static_cast<uint32_t>(sizeof(int64_t) * x.sizes().size());
  if (call.State<State>(x.sizes().data(), bytes, by) == nullptr)
    call.KeepState(std::make_unique<State>(), x.sizes().data(), bytes, by);
  out.data<int64_t>()[0] = made;
  out.data<int64_t>()[1] = alive;
}
void Packed(Call call, Tensor out, Tensor x, Tensor w) {
  if (!w.is_constant() && x.dim() == 0) return Count(call, out, x, 2);  // an error
  Count(call, out, x, w.is_constant() ? 2 : 0);
}

constexpr uint32_t kAll = SY_OPERATOR_IN_PLACE | SY_OPERATOR_OUT;
constexpr SyOperatorDef kOperators[] = {
    RuleOperator<ScaleRule>("rules::scale(Tensor x, float by) -> Tensor", kAll),
    RuleOperator<LessRule>("rules::less(Tensor a, Tensor b) -> Tensor", SY_OPERATOR_OUT),
    RuleOperator<AddRule>("rules::add.Tensor(Tensor a, Tensor b) -> Tensor", kAll),
    NumbersOperator("rules::add.Scalar(Tensor a, Scalar b) -> Tensor", "rules::add.Tensor",
                    SY_OPERATOR_IN_PLACE),
    RuleOperator<MeanRule>("rules::mean(Tensor x) -> Tensor"),
    RuleOperator<BumpRule>("rules::bump(Tensor self, int at, float by) -> Tensor", kAll),
    RuleOperator<RowsRule>("rules::rows(Tensor(a) x, int n) -> Tensor(a)"),
    RuleOperator<LikeRule>("rules::like(Tensor x) -> Tensor"),
    RuleOperator<HalvesRule>("rules::halves(Tensor x) -> (Tensor, Tensor)"),
    Operator<ForgetsShape>("rules::forgets(Tensor x) -> (Tensor, Tensor)"),
    Operator<SameShape>("rules::picky(Tensor x) -> Tensor"),
    Operator("rules::twice(Tensor x) -> Tensor"),
    RuleOperator<ConvertRule>("rules::convert(Tensor x, ScalarType dtype) -> Tensor"),
    RuleOperator<CountsRule>("rules::packed(Tensor x, Tensor w) -> Tensor"),
};
constexpr SyKernelDef kKernels[] = {
    Kernel<Scale>("rules::scale", "cpu", kFloats),
    Kernel<Less>("rules::less", "cpu", kFloats | SY_BIT(SY_INT64)),
    Kernel<Add>("rules::add.Tensor", "cpu", kFloats),
    Kernel<Mean>("rules::mean", "cpu", SY_BIT(SY_FLOAT32)),
    Kernel<Bump>("rules::bump", "cpu", SY_BIT(SY_FLOAT32)),
    Kernel<Like>("rules::like", "cpu", SY_BIT(SY_FLOAT32)),
    Kernel<Halves, 2>("rules::halves", "cpu", SY_BIT(SY_FLOAT32)),
    Kernel<Halves, 2>("rules::forgets", "cpu", SY_BIT(SY_FLOAT32)),
    Kernel<Picky>("rules::picky", "cpu", SY_BIT(SY_FLOAT32)),
    Kernel<Twice, 0>("rules::twice", "cpu"),
    Kernel<Convert>("rules::convert", "cpu"),
    Kernel<Packed>("rules::packed", "cpu"),
};
constexpr SyPlugin kPlugin = MakePlugin("rules", "1.0", {}, kOperators, kKernels);

}  // namespace

SY_PLUGIN(kPlugin, "rules")
