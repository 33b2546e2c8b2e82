// Recorded calls under vmap: each is made of three examples at once, and must give what a loop over
// them gives, with all tensors batched and with each of them alone; and so must the gradients of
// recorded gradients' calls. Operators that vmap refuses, or calls for each example, are those that
// vmap_missing.txt names, each with its reason. The list only shrinks: what it names needlessly
// fails too.

#include "switchyard/transforms/vmap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "switchyard/core/logging.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"
#include "switchyard/registry/registry.h"
#include "switchyard/transforms/func.h"
#include "testing/replay/arguments.h"
#include "testing/replay/call.h"
#include "testing/replay/compare.h"
#include "tests/conformance/recorded_case.h"

namespace sy::replay {
namespace {

const std::string kHere = "tests/conformance/";
constexpr int kCallsOfOne = 4;  // of each operator
constexpr size_t kExamples = 3;

std::vector<Tensor> ExamplesOf(const Tensor& t) {
  std::vector<int64_t> dims;
  for (int64_t d = 0; d < t.dim(); ++d) dims.push_back(d);
  return {t, flip(t, dims), t};
}

std::string Compare(const Tensor& got, const std::vector<Tensor>& expected, bool values) {
  for (size_t b = 0; b < expected.size(); ++b) {
    const Tensor g = select(got, 0, static_cast<int64_t>(b)), &e = expected[b];
    if (g.dtype() != e.dtype() || !std::ranges::equal(g.sizes(), e.sizes()))
      return "got " + Describe(g) + ", expected " + Describe(e);
    if (!values) continue;
    Tolerance t = ToleranceOf(e.dtype());
    const bool exact = t.rtol == 0;
    const Tensor x = resolve_neg(resolve_conj(g)), y = resolve_neg(resolve_conj(e));
    if (exact ? !equal(x, y) : !allclose(x, y, t.rtol * 10, t.atol * 10, true))
      return "other values, of " + Describe(e);
  }
  return "";
}

// Of all arguments, for cotangents that are the same in every example.
std::vector<Tensor> Gradients(const Case& c, TensorList x) {
  const TensorFunction call = [&](TensorList y) { return c.Call(y); };
  const func::Vjp v = func::vjp(call, x);
  std::vector<Tensor> cotangents;
  for (const Tensor& y : v.outputs) {
    const Tensor numbers = cos(arange(y.numel(), DType::kFloat64));
    const bool has = y.defined() && (IsFloating(y.dtype()) || IsComplex(y.dtype()));
    cotangents.push_back(has ? to(view(numbers, y.sizes()), y.dtype()) : Tensor());
  }
  std::vector<Tensor> all = v.pull(cotangents);
  std::erase_if(all, [](const Tensor& g) { return !g.defined(); });
  return all;
}

// "" or what is wrong with f. batched: whether each tensor has a batch; at_end: as last dimension.
std::string Run(const TensorFunction& f, const Case& c, const std::vector<bool>& batched,
                bool at_end, bool values) {
  std::vector<std::vector<Tensor>> examples(c.size());
  std::vector<Tensor> inputs;
  VmapDims dims;
  for (size_t p = 0; p < c.size(); ++p) {
    const Tensor t = c.At(p);
    examples[p] = batched[p] ? ExamplesOf(t) : std::vector<Tensor>(kExamples, t);
    inputs.push_back(batched[p] ? stack(examples[p], at_end ? -1 : 0) : t);
    dims.push_back(batched[p] ? std::optional<int64_t>(at_end ? -1 : 0) : std::nullopt);
  }
  std::vector<std::vector<Tensor>> expected;  // of each result
  try {
    for (size_t b = 0; b < kExamples; ++b) {
      std::vector<Tensor> one;
      one.reserve(examples.size());
      for (const std::vector<Tensor>& e : examples) one.push_back(e[b]);
      const std::vector<Tensor> results = f(one);
      expected.resize(results.size());
      for (size_t k = 0; k < results.size(); ++k) expected[k].push_back(results[k]);
    }
  } catch (const Error&) {
    return "";  // the examples are no arguments of it
  }
  for (const std::vector<Tensor>& e : expected) {
    if (e.size() != kExamples || !e[0].defined()) return "";
    for (const Tensor& t : e) {
      if (!std::ranges::equal(t.sizes(), e[0].sizes())) return "";  // sizes by values
    }
  }
  try {
    const std::vector<Tensor> got = RunVmap(f, inputs, dims, {0}, {});
    for (size_t k = 0; k < got.size(); ++k) {
      if (std::string why = Compare(got[k], expected[k], values); !why.empty())
        return "result " + std::to_string(k) + ": " + why;
    }
  } catch (const Error& e) {
    return std::string("throws ") + e.what();
  }
  return "";
}

class Replay {
 public:
  explicit Replay(bool gradients) : gradients_(gradients) {}
  void Folder(const std::string& folder) {
    ForEachRecorded(folder, gradients_,
                    [&](std::string_view line, const std::vector<char>& blob) { One(line, blob); });
  }
  std::map<std::string, std::string> failed;  // the first reason
  int calls = 0;

 private:
  void One(std::string_view line, const std::vector<char>& blob) {
    const Json call = Json::parse(line);
    if (call.contains("error")) return;
    const std::string name = OpOf(call);
    const OperatorEntry* op = Registry::Global().Find(name);
    if (op == nullptr || op->Has(OperatorTag::kNondeterministicSeeded)) return;
    for (const Argument& a : op->schema().arguments) {
      if (a.type.alias.write && (a.kwarg_only || a.type.list)) return;  // out=
    }
    int& made = made_[name];
    if (made >= kCallsOfOne) return;
    const Arguments arguments(*op, call.at("args"), call.at("kwargs"), blob, ParseDevice("cpu"));
    const Case c(*op, arguments.values());
    if (c.size() == 0 || (gradients_ && call.at("in_place").get<bool>())) return;
    const TensorFunction f = [&](TensorList x) { return gradients_ ? Gradients(c, x) : c.Call(x); };
    ++made;
    ++calls;
    const bool values =
        !op->Has(OperatorTag::kUninitializedOutput) && !op->Has(OperatorTag::kOpenTies);
    const bool writes = op->schema().arguments[0].type.alias.write;
    std::vector<std::vector<bool>> patterns = {std::vector<bool>(c.size(), true)};
    for (size_t p = 0; c.size() > 1 && p < std::min<size_t>(c.size(), 4); ++p) {
      if (writes && p != 0) break;  // self must have a batch
      std::vector<bool> alone(c.size(), false);
      alone[p] = true;
      patterns.push_back(std::move(alone));
    }
    for (const std::vector<bool>& batched : patterns) {
      std::string why = Run(f, c, batched, made % 2 == 0, values);
      if (why.empty()) continue;
      std::string which;
      for (const bool b : batched) which += b ? 'B' : '.';
      std::string shown;
      for (const Value& v : arguments.values()) shown += v.str() + ", ";
      failed.emplace(name, which + " " + why.substr(0, why.find('\n')) + "   of " + shown);
      return;
    }
  }
  bool gradients_;
  std::map<std::string, int> made_;
};

TEST(RecordedCalls, AreTheSameUnderVmap) {
  SetLogLevel(LogLevel::kError);
  ResetVmapFallbacks();
  const std::map<std::string, std::string> listed = ReadList("vmap_missing.txt");
  Replay calls(false), gradients(true);
  for (const char* folder : {"opinfo", "leaves", "names", "overloads"}) {
    calls.Folder(kHere + "data/" + folder);
  }
  gradients.Folder(kHere + "gradients");
  EXPECT_GT(calls.calls, 2000);
  EXPECT_GT(gradients.calls, 500);
  std::map<std::string, std::string> failed = calls.failed;
  for (const auto& [op, why] : gradients.failed) failed.emplace(op, "gradient: " + why);
  for (const auto& [op, count] : VmapFallbacks()) failed.emplace(op, "called for each example");
  std::printf(
      "%d recorded calls and %d gradients, %zu operators are not the same, or not called "
      "once\n",
      calls.calls, gradients.calls, failed.size());
  for (const auto& [op, why] : failed) {
    EXPECT_TRUE(listed.contains(op)) << op << ": " << why;
    if (listed.contains(op)) std::printf("%s: %s\n", op.c_str(), why.c_str());
  }
  for (const auto& [op, reason] : listed) {
    EXPECT_TRUE(failed.contains(op)) << op << " is the same: take it off vmap_missing.txt";
  }
}

}  // namespace
}  // namespace sy::replay
