// Every formula, on recorded calls in float64 and complex128: reverse mode, forward mode and
// differences along one direction agree, also where no cotangents are recorded. Operators of which
// no call can be checked, or whose calls disagree, are those that formulas_unchecked.txt names,
// each with its reason. The list only shrinks: what it names needlessly fails too.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/levels.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/logging.h"
#include "switchyard/registry/registry.h"
#include "switchyard/transforms/func.h"
#include "testing/replay/arguments.h"
#include "testing/replay/call.h"
#include "tests/conformance/recorded_case.h"

namespace sy::replay {
namespace {

const std::string kHere = "tests/conformance/";
constexpr int kCallsOfOne = 6;  // of each operator
constexpr int64_t kMostElements = 4096;
constexpr double kStep = 1e-6;
constexpr double kEpsilon = 1e-3;  // of norms whose operators are not told it

bool IsChecked(const Tensor& t) {
  return t.defined() && (IsFloating(t.dtype()) || IsComplex(t.dtype()));
}

// In float64 or complex128, a little beside where it was: recorded numbers lie on corners.
// phase: of each tensor another one, so that no two are equal.
Tensor Widened(const Tensor& t, double phase) {
  if (!IsChecked(t)) return t;
  const Tensor wide =
      to(resolve_neg(resolve_conj(t)), IsComplex(t.dtype()) ? DType::kComplex128 : DType::kFloat64);
  const Tensor beside = sin(add(arange(t.numel(), DType::kFloat64), phase));
  return add(wide, mul(to(view(beside, t.sizes()), wide.dtype()), 1e-3));
}
// The same numbers at each run.
Tensor Direction(const Tensor& like, double phase) {
  const Tensor at = add(arange(like.numel(), DType::kFloat64), phase);
  Tensor d = sin(mul(at, 1.7));
  if (IsComplex(like.dtype())) d = complex(d, cos(mul(at, 0.9)));
  return view(to(d, like.dtype()), like.sizes());
}
// The real part of what a and b have in common, and how large its parts are.
struct Product {
  double value = 0, size = 0;
  void Add(const Tensor& a, const Tensor& b) {
    const Tensor parts = mul(conj(a), b);
    value += item(real(sum(parts))).To<double>();
    size += item(sum(abs(parts))).To<double>();
  }
};

// Of Hermitian matrices; the operators read a triangle.
constexpr std::string_view kHermitian[] = {"cholesky",
                                           "linalg_cholesky_ex",
                                           "linalg_cholesky",
                                           "_linalg_eigh",
                                           "linalg_eigh",
                                           "linalg_eigvalsh",
                                           "linalg_pinv.atol_rtol_float",
                                           "linalg_pinv.atol_rtol_tensor"};
// Of triangular ones, the lower unless asked.
constexpr std::string_view kTriangular[] = {"cholesky_inverse", "cholesky_solve"};
bool IsOneOf(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
Tensor Fitting(std::string_view name, size_t p, const Tensor& t, bool upper) {
  if (t.dim() < 2 || t.size(-1) != t.size(-2)) return t;
  if (IsOneOf(name, kHermitian)) return mul(add(t, mH(t)), 0.5);
  const bool factor = name == "cholesky_inverse" || p == 1;
  if (!factor || !IsOneOf(name, kTriangular)) return t;
  const Tensor half = upper ? triu(t) : tril(t);
  return add(half, half);
}

// Tensors that have no gradient, and those that are what others make them. By operator and number
// among the call's tensors.
struct Held {
  std::vector<size_t> at;
  void (*follow)(std::vector<Tensor>& x, std::span<const Value> args) = nullptr;
};
Tensor IndicesWithoutRepeats(const Tensor& like, int64_t dims) {
  int64_t n = 1;
  for (int64_t d = -dims; d < 0; ++d) n *= like.size(d);
  const IntSpan sizes = like.sizes().subspan(like.sizes().size() - static_cast<size_t>(dims));
  return clone(expand(view(arange(n, DType::kInt64), sizes), like.sizes()));
}
using NllForward = std::tuple<Tensor, Tensor> (*)(const Tensor&, const Tensor&, const Tensor&,
                                                  int64_t, int64_t);
// The total weight is that of the weights.
template <NllForward kForward>
void FollowWeights(std::vector<Tensor>& x, std::span<const Value> args) {
  const Tensor weight = x.size() > 4 ? x[3] : Tensor();
  x.back() = std::get<1>(kForward(x[1], x[2], weight, args[4].i, args[5].i));
}
std::tuple<Tensor, Tensor> Nll(const Tensor& x, const Tensor& target, const Tensor& weight,
                               int64_t reduction, int64_t ignored) {
  return nll_loss_forward(x, target, weight, reduction, ignored);
}
std::tuple<Tensor, Tensor> Nll2d(const Tensor& x, const Tensor& target, const Tensor& weight,
                                 int64_t reduction, int64_t ignored) {
  return nll_loss2d_forward(x, target, weight, reduction, ignored);
}
// What operators on the way back are given besides is what the way there has found.
void FollowLayerNorm(std::vector<Tensor>& x, std::span<const Value> args) {
  const auto all = native_layer_norm(x[1], args[2].list<int64_t>(), Tensor(), Tensor(), kEpsilon);
  x[2] = std::get<1>(all);
  x[3] = std::get<2>(all);
}
void FollowGroupNorm(std::vector<Tensor>& x, std::span<const Value> args) {
  const auto all = native_group_norm(x[1], Tensor(), Tensor(), args[5].i, args[6].i, args[7].i,
                                     args[8].i, kEpsilon);
  x[2] = std::get<1>(all);
  x[3] = std::get<2>(all);
}
void FollowBatchNorm(std::vector<Tensor>& x, std::span<const Value> args) {
  if (args[7].i == 0) return;  // it goes by the running statistics
  const auto all = native_batch_norm(x[1], Tensor(), Tensor(), Tensor(), Tensor(), true, 0,
                                     args[8].scalar().To<double>());
  x[5] = std::get<1>(all);
  x[6] = std::get<2>(all);
}
// What is positive stays as it is.
void MakePositive(std::vector<Tensor>& x, std::span<const Value>) {
  for (Tensor& t : x) {
    if (IsFloating(t.dtype())) t = where(lt(t, 0.1), sub(ones_like(t), t), t);
  }
}
// The gradient is that of normalised log-probabilities, as ATen's.
void Normalise(std::vector<Tensor>& x, std::span<const Value>) { x[0] = log_softmax(x[0], -1); }
const std::map<std::string_view, Held>& HeldTensors() {
  using Tensors = std::vector<Tensor>;
  using Args = std::span<const Value>;
  static const std::map<std::string_view, Held> all = {
      {"_ctc_loss", {{}, Normalise}},
      {"_ctc_loss.Tensor", {{}, Normalise}},
      {"binary_cross_entropy", {{2}}},
      {"fake_quantize_per_channel_affine_cachemask", {{1}}},
      {"fake_quantize_per_tensor_affine.tensor_qparams", {{1}}},
      {"float_power.Tensor_Scalar", {{}, MakePositive}},
      {"igamma", {{0}}},
      {"igammac", {{0}}},
      {"native_batch_norm_backward", {{3, 4, 5, 6}, FollowBatchNorm}},
      {"native_group_norm_backward", {{2, 3}, FollowGroupNorm}},
      {"native_layer_norm_backward", {{2, 3}, FollowLayerNorm}},
      {"special_gammainc", {{0}, MakePositive}},
      {"special_gammaincc", {{0}, MakePositive}},
      {"special_zeta", {{0}}},
      {"log_sigmoid_backward",
       {{2}, [](Tensors& x, Args) { x[2] = std::get<1>(log_sigmoid_forward(x[1])); }}},
      {"index_copy", {{}, [](Tensors& x, Args) { x[1] = arange(x[1].numel(), x[1].dtype()); }}},
      {"max_unpool2d", {{1}, [](Tensors& x, Args) { x[1] = IndicesWithoutRepeats(x[1], 2); }}},
      {"max_unpool3d", {{1}, [](Tensors& x, Args) { x[1] = IndicesWithoutRepeats(x[1], 3); }}},
      {"multi_margin_loss", {{2}}},
      {"nll_loss_forward", {{2}}},
      {"nll_loss2d_forward", {{2}}},
      {"nll_loss_backward", {{3, 4}, FollowWeights<Nll>}},
      {"nll_loss2d_backward", {{3, 4}, FollowWeights<Nll2d>}},
      {"_scaled_dot_product_flash_attention_for_cpu_backward",
       {{4, 5},
        [](Tensors& x, Args args) {
          const Tensor mask = x.size() > 6 ? x[6] : Tensor();
          const auto [out, logsumexp] = _scaled_dot_product_flash_attention_for_cpu(
              x[1], x[2], x[3], args[6].scalar().To<double>(), args[7].i != 0, mask,
              args[9].is_none() ? std::nullopt : std::optional(args[9].scalar().To<double>()));
          x[4] = out;
          x[5] = logsumexp;
        }}},
  };
  return all;
}
bool IsHeld(std::string_view name, size_t p) {
  const auto it = HeldTensors().find(name);
  return it != HeldTensors().end() &&
         std::find(it->second.at.begin(), it->second.at.end(), p) != it->second.at.end();
}
void Follow(std::string_view name, std::vector<Tensor>& x, std::span<const Value> args) {
  const auto it = HeldTensors().find(name);
  if (it != HeldTensors().end() && it->second.follow != nullptr) it->second.follow(x, args);
}

// Vectors are unique up to a factor of size 1 each: the one that makes the first elements real.
std::vector<Tensor> WithoutPhases(std::string_view name, std::vector<Tensor> y) {
  const bool eig = name == "linalg_eig" || name == "linalg_eigh" || name == "_linalg_eigh";
  const bool svd = name == "linalg_svd" || name == "_linalg_svd";
  if (!eig && !svd) return y;
  Tensor& vectors = y[eig ? 1 : 0];
  if (vectors.numel() == 0) return y;
  if (svd) {  // those of full matrices behind are any basis of what is left
    vectors = narrow(vectors, -1, 0, y[1].size(-1));
    y[2] = narrow(y[2], -2, 0, y[1].size(-1));
  }
  if (!IsComplex(vectors.dtype())) return y;
  const Tensor phases = sgn(narrow(vectors, -2, 0, 1));
  vectors = mul(vectors, conj(phases));
  if (svd) y[2] = mul(y[2], mT(phases));
  return y;
}

// float64 where a call asks for another floating dtype.
std::vector<Value> WithWideDTypes(std::span<const Value> values) {
  std::vector<Value> wide(values.begin(), values.end());
  for (Value& v : wide) {
    if (v.tag != Tag::kDType) continue;
    const auto d = static_cast<DType>(v.i);
    if (IsFloating(d)) v = Value(DType::kFloat64);
    if (IsComplex(d)) v = Value(DType::kComplex128);
  }
  return wide;
}

struct Found {
  std::string why;  // "": all agree
  bool checked = false, is_complex = false;
};

Found Check(std::string_view name, const Case& c, std::span<const Value> args, bool upper) {
  Found found;
  const auto run = [&](TensorList y) { return WithoutPhases(name, c.Call(y)); };
  std::vector<Tensor> x;
  for (size_t p = 0; p < c.size(); ++p) {
    const Tensor t = c.At(p);
    if (t.numel() > kMostElements) return found;
    x.push_back(Widened(t, 0.37 + 0.61 * static_cast<double>(p)));
    if (!IsChecked(x[p])) continue;
    x[p] = Fitting(name, p, x[p], upper);
    found.is_complex = found.is_complex || IsComplex(x[p].dtype());
    if (x[p].numel() != 0 && !(item(max(abs(x[p]))).To<double>() < 100)) return found;
  }
  try {
    Follow(name, x, args);
  } catch (const Error&) {
    return found;  // no arguments of it in these dtypes
  }
  std::vector<Tensor> leaves = x, outputs, cotangents, wanted;
  std::vector<Tensor> along(x.size()), above, below;
  std::vector<size_t> at;
  const auto moved = [&](double h) {
    std::vector<Tensor> y = x;
    for (size_t p = 0; p < x.size(); ++p) {
      if (along[p].defined()) y[p] = add(x[p], mul(along[p], h));
    }
    const NoGrad off;
    Follow(name, y, args);
    return run(y);
  };
  Product by_reverse, by_differences;
  try {
    for (size_t p = 0; p < x.size(); ++p) {
      if (!IsChecked(x[p]) || IsHeld(name, p)) continue;
      leaves[p] = requires_grad_(clone(x[p]));
      wanted.push_back(leaves[p]);
      at.push_back(p);
    }
    for (const Tensor& y : run(leaves)) {
      const bool has = IsChecked(y) && requires_grad(y);
      const auto k = static_cast<double>(cotangents.size());
      cotangents.push_back(has ? Direction(y, 0.7 + k) : Tensor());
      outputs.push_back(y);
    }
  } catch (const Error&) {
    return found;  // no arguments of it in these dtypes
  }
  std::vector<Tensor> of, with;
  for (size_t k = 0; k < outputs.size(); ++k) {
    if (!cotangents[k].defined()) continue;
    of.push_back(outputs[k]);
    with.push_back(cotangents[k]);
  }
  if (of.empty()) return found;
  const auto say = [&](const std::string& what) {
    found.checked = true;
    found.why = what;
    return found;
  };
  try {
    const std::vector<Tensor> grads = grad(of, wanted, with, {.allow_unused = true});
    for (size_t i = 0; i < at.size(); ++i) {
      if (!grads[i].defined()) continue;  // it has none by this argument
      along[at[i]] = Fitting(name, at[i], Direction(x[at[i]], 0.3 + static_cast<double>(i)), upper);
      by_reverse.Add(grads[i], along[at[i]]);
    }
    above = moved(kStep);
    below = moved(-kStep);
  } catch (const Error& e) {
    return say(std::string("reverse mode throws ") + e.what());
  }
  for (size_t k = 0; k < cotangents.size(); ++k) {
    if (!cotangents[k].defined()) continue;
    if (above[k].sizes() != outputs[k].sizes()) return found;
    by_differences.Add(cotangents[k], div(sub(above[k], below[k]), 2 * kStep));
  }
  if (!std::isfinite(by_differences.value) || by_differences.size > 1e6) return found;
  found.checked = true;
  const double size = 1e-3 + by_reverse.size + by_differences.size;
  const auto differs = [&](const char* what, double other) {
    return say(std::string(what) + ": reverse mode " + std::to_string(by_reverse.value) +
               ", expected " + std::to_string(other));
  };
  if (!(std::abs(by_reverse.value - by_differences.value) <= 1e-5 * size))
    return differs("differences", by_differences.value);
  try {
    const TensorFunction f = [&](TensorList y) { return run(y); };
    const func::Jvp forward = func::jvp(f, TensorList(x), TensorList(along));
    Product by_forward;
    for (size_t k = 0; k < cotangents.size(); ++k) {
      if (cotangents[k].defined()) by_forward.Add(cotangents[k], forward.tangents[k]);
    }
    if (!(std::abs(by_reverse.value - by_forward.value) <= 1e-8 * (size + by_forward.size)))
      return differs("forward mode", by_forward.value);
  } catch (const Error& e) {
    return say(std::string("forward mode throws ") + e.what());
  }
  return found;
}

// Functional operators with formulas.
bool HasFormulas(const OperatorEntry& op) {
  for (const Argument& a : op.schema().arguments) {
    if (a.type.alias.write) return false;
  }
  return !op.Has(OperatorTag::kNondeterministicSeeded) &&
         autograd::DifferentiationOf(op) == autograd::Differentiation::kFormulas;
}

class Replay {
 public:
  void Folder(const std::string& folder, bool gradients) {
    ForEachRecorded(folder, gradients,
                    [&](std::string_view line, const std::vector<char>& blob) { One(line, blob); });
  }
  void Made(const char* name, const std::vector<Value>& args) {
    Call(*Registry::Global().Find(name), args);
  }
  std::map<std::string, std::string> failed;  // the first reason
  std::map<std::string, int> checked, checked_complex;

 private:
  void One(std::string_view line, const std::vector<char>& blob) {
    const Json call = Json::parse(line);
    if (call.contains("error")) return;
    const std::string name = OpOf(call);
    const OperatorEntry* op = Registry::Global().Find(name);
    if (op == nullptr || !HasFormulas(*op)) return;
    if (checked[name] >= kCallsOfOne && checked_complex[name] >= kCallsOfOne) return;
    const Arguments arguments(*op, call.at("args"), call.at("kwargs"), blob, ParseDevice("cpu"));
    Call(*op, arguments.values());
  }
  void Call(const OperatorEntry& op, std::span<const Value> given) {
    const std::string name(op.name());
    const int upper = op.schema().Find("upper");
    const std::vector<Value> values = WithWideDTypes(given);
    const Case c(op, values);
    if (c.size() == 0) return;
    bool is_complex = false;
    for (size_t p = 0; p < c.size(); ++p) is_complex = is_complex || IsComplex(c.At(p).dtype());
    if ((is_complex ? checked_complex : checked)[name] >= kCallsOfOne) return;
    const Found found =
        Check(name, c, values, upper >= 0 && values[static_cast<size_t>(upper)].i != 0);
    if (!found.checked) return;
    int& count = (found.is_complex ? checked_complex : checked)[name];
    if (++count > kCallsOfOne || found.why.empty()) return;
    std::string shown;
    for (const Value& v : given) shown += v.str() + ", ";
    failed.emplace(name, found.why.substr(0, found.why.find('\n')) + "   of " + shown);
  }
};

TEST(Formulas, AgreeWithForwardModeAndDifferences) {
  SetLogLevel(LogLevel::kError);
  const std::map<std::string, std::string> listed = ReadList("formulas_unchecked.txt");
  Replay all;
  all.Folder(kHere + "gradients", true);
  for (const char* folder : {"opinfo", "leaves", "names", "overloads", "kinds", "edge"}) {
    all.Folder(kHere + "data/" + folder, false);
  }
  // Recorded with integers and half precision alone.
  const Tensor x = tensor({-2.3, 0.7, 1.9}, DType::kFloat64), z = complex(x, flip(x, {0}));
  all.Made("remainder.Scalar", {x, 1.3});
  all.Made("float_power.Tensor_Scalar", {x, 2.5});
  all.Made("float_power.Tensor_Scalar", {z, 2.5});
  int with_formulas = 0, real = 0, with_complex = 0;
  for (const OperatorEntry* op : Registry::Global().Entries()) {
    if (!HasFormulas(*op)) continue;
    ++with_formulas;
    const std::string name(op->name());
    const bool has = all.checked[name] + all.checked_complex[name] > 0;
    real += all.checked[name] > 0;
    with_complex += all.checked_complex[name] > 0;
    if (!has) all.failed.emplace(name, "no recorded call of it can be checked");
  }
  std::printf("%d operators have formulas: %d checked in float64, %d in complex128\n",
              with_formulas, real, with_complex);
  EXPECT_GT(real, 300);
  EXPECT_GT(with_complex, 100);
  for (const auto& [op, why] : all.failed) {
    const auto it = listed.find(op);
    EXPECT_TRUE(it != listed.end()) << op << ": " << why;
    if (it != listed.end()) std::printf("%s: %s\n", op.c_str(), why.c_str());
    // One that lacks forward mode alone agrees with differences.
    if (it != listed.end() && it->second.starts_with("forward mode")) {
      EXPECT_TRUE(why.starts_with("forward mode")) << op << ": " << why;
    }
  }
  for (const auto& [op, reason] : listed) {
    EXPECT_TRUE(all.failed.contains(op)) << op << " agrees: take it off formulas_unchecked.txt";
  }
}

}  // namespace
}  // namespace sy::replay
