#include "testing/replay/gradients.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "core/format/format.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/registry/registry.h"
#include "testing/replay/arguments.h"
#include "testing/replay/compare.h"
#include "testing/replay/gzip.h"
#include "testing/replay/special.h"

namespace sy::replay {
namespace {

template <class F>
void ForEachTensor(const Results& results, F f) {
  for (int i = 0; i < results.size(); ++i) {
    const Value& v = results[i].value();
    if (v.tag == Tag::kTensor) f(v.tensor());
    if (v.tag != Tag::kTensorList) continue;
    for (const Tensor& t : v.list<Tensor>()) f(t);
  }
}

class GradientReplay {
 public:
  GradientReplay(const OperatorEntry& op, const Json& call, Blob blob, Device device)
      : op_(op),
        call_(call),
        blob_(blob),
        device_(device),
        arguments_(op, call.at("args"), call.at("kwargs"), blob, device) {}

  // "" or why it failed.
  std::string Run() {
    for (const Json& w : call_.at("wrt")) {
      const Tensor leaf = LeafAt(w.get<std::string>());
      leaves_.push_back(leaf.defined() ? requires_grad_(leaf) : leaf);
    }
    SeedDefaultGenerator(device_, 0);
    std::vector<Value> values(arguments_.values().begin(), arguments_.values().end());
    Tensor written;
    if (call_.at("in_place").get<bool>()) {
      written = sy::call("clone", arguments_.tensors().front().tensor);
      values[0] = Value(written);
    }
    Results results;
    CallBoxed(op_, values, results.Reset(op_.num_results));
    std::vector<Tensor> outputs = TensorsOf(results);
    const Json& grad_out = call_.at("grad_out");
    if (outputs.size() != grad_out.size()) {
      return fmt::format("expected {} tensors, got {}", grad_out.size(), outputs.size());
    }
    compares_ = GradientComparisonOf(op_, arguments_.values()) == Comparison::kValues &&
                !GivesOthers(outputs);
    const bool twice = call_.contains("second");
    std::vector<Tensor> taken;
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (grad_out[i].is_null() || !requires_grad(outputs[i])) continue;
      taken.push_back(outputs[i]);
      cotangents_.push_back(Read(grad_out[i]));
      if (twice) requires_grad_(cotangents_.back());
    }
    std::vector<Tensor> grads(leaves_.size());
    if (!taken.empty()) grads = GradOf(taken, leaves_, cotangents_, twice);
    if (std::string why = CompareAll(grads, call_.at("grad"), 1); !why.empty()) {
      return "gradient " + why;
    }
    return twice ? Second(grads) : "";
  }

 private:
  // Undefined where the reference took a tensor for a number, whose gradient is none.
  Tensor LeafAt(const std::string& where) const {
    const size_t dot = where.find('.');
    const std::string head = where.substr(0, dot);
    int position = 0;
    if (std::isdigit(static_cast<unsigned char>(head[0])) != 0) {
      position = std::stoi(head);
    } else {
      position = op_.schema().Find(head);
    }
    size_t skip = dot == where.npos ? 0 : std::stoul(where.substr(dot + 1));
    for (const TensorArgument& t : arguments_.tensors()) {
      if (t.position == position && skip-- == 0) return t.tensor;
    }
    const auto at = static_cast<size_t>(position);
    if (position < 0 || at >= arguments_.values().size() || arguments_.values()[at].is_none())
      throw Malformed({"no tensor at ", where});
    return {};
  }
  // Of those inputs that are defined; undefined for the others.
  static std::vector<Tensor> GradOf(TensorList outputs, TensorList inputs, TensorList cotangents,
                                    bool create_graph) {
    std::vector<Tensor> wanted, all(inputs.size());
    for (const Tensor& t : inputs) {
      if (t.defined()) wanted.push_back(t);
    }
    const std::vector<Tensor> found =
        grad(outputs, wanted, cotangents, {.create_graph = create_graph, .allow_unused = true});
    for (size_t i = 0, k = 0; i < inputs.size(); ++i) {
      if (inputs[i].defined()) all[i] = found[k++];
    }
    return all;
  }
  std::vector<Tensor> TensorsOf(const Results& results) const {
    std::vector<Tensor> all;
    ForEachTensor(results, [&](const Tensor& t) { all.push_back(t); });
    return all;
  }
  // Whether results are others than those recorded where they may be: on another device, numbers
  // that were drawn, signs of vectors, which of equal elements. So are the gradients, then.
  bool GivesOthers(const std::vector<Tensor>& outputs) const {
    if (device_.type == kHost || !HasData(device_)) return false;
    if (ComparisonOf(op_, arguments_.values()) == Comparison::kValues) return false;
    const Json& recorded = call_.at("out");
    for (size_t i = 0; i < outputs.size(); ++i) {
      const RecordedTensor r = ParseTensor(recorded.at(i), blob_);
      const Tolerance t = LeastTolerance(op_.name(), r.dtype, device_);
      const bool alike = CompareMetadata(outputs[i], r).empty();
      if (alike && !CompareContents(outputs[i], r, t).empty()) return true;
    }
    return false;
  }
  Tensor Read(const Json& j) const {
    return sy::call("to.device", Rebuild(ParseTensor(j, blob_)), device_,
                    ParseTensor(j, blob_).dtype);
  }

  std::string Second(const std::vector<Tensor>& grads) {
    const Json& second = call_.at("second");
    std::vector<Tensor> outputs, weights, inputs = cotangents_;
    const Json& of = second.at("of");
    for (size_t i = 0; i < of.size(); ++i) {
      const Tensor& g = grads.at(of[i].get<size_t>());
      if (!g.defined() || !requires_grad(g)) continue;
      outputs.push_back(g);
      weights.push_back(Read(second.at("grad_grad").at(i)));
    }
    inputs.insert(inputs.end(), leaves_.begin(), leaves_.end());
    std::vector<Tensor> got(inputs.size());
    if (!outputs.empty()) got = GradOf(outputs, inputs, weights, false);
    const std::vector<Tensor> of_cotangents(
        got.begin(), got.begin() + static_cast<ptrdiff_t>(cotangents_.size()));
    const std::vector<Tensor> of_leaves(got.begin() + static_cast<ptrdiff_t>(cotangents_.size()),
                                        got.end());
    if (std::string why = CompareAll(of_cotangents, second.at("grad_of_grad_out"), 10);
        !why.empty()) {
      return "second gradient, of a cotangent, " + why;
    }
    std::string why = CompareAll(of_leaves, second.at("grad"), 10);
    return why.empty() ? "" : "second gradient " + why;
  }

  // Whether an operator's formula says zero or leaves the input out tells nothing of the gradient:
  // where one has none, the other's is zero.
  static bool IsZero(const Tensor& t) {
    if (!t.defined() || t.numel() == 0 || !HasData(t.device())) return true;
    return sy::call("item", sy::call("all", sy::call("eq.Scalar", t, 0))).scalar().To<bool>();
  }

  // wider: by how much tolerances are.
  std::string CompareAll(const std::vector<Tensor>& got, const Json& expected, double wider) const {
    if (got.size() != expected.size()) {
      return fmt::format("expected {}, got {}", expected.size(), got.size());
    }
    for (size_t i = 0; i < got.size(); ++i) {
      if (!compares_ && (expected[i].is_null() || !got[i].defined())) continue;
      if (expected[i].is_null() || !got[i].defined()) {
        const Tensor other = expected[i].is_null() ? got[i] : Read(expected[i]);
        if (!IsZero(other)) {
          return fmt::format("{}: expected {}, got {}, and it is not zero", i,
                             expected[i].is_null() ? "none" : "one",
                             got[i].defined() ? "one" : "none");
        }
        continue;
      }
      const RecordedTensor r = ParseTensor(expected[i], blob_);
      if (got[i].dtype() != r.dtype || got[i].sizes() != IntSpan(r.sizes)) {
        return fmt::format("{}: expected {}, got {}", i, Describe(r), Describe(got[i]));
      }
      if (!HasData(device_) || !compares_) continue;
      Tolerance t = ToleranceOf(r.dtype);
      const Tolerance least = LeastTolerance(op_.name(), r.dtype, device_),
                      of_gradients = LeastGradientTolerance(op_.name(), r.dtype);
      t = {std::max({t.rtol * wider, least.rtol, of_gradients.rtol}),
           std::max({t.atol * wider, least.atol, of_gradients.atol}), least.nan_is_any};
      if (std::string why = CompareContents(got[i], r, t); !why.empty()) {
        return fmt::format("{}: {}", i, why);
      }
    }
    return "";
  }

  const OperatorEntry& op_;
  const Json& call_;
  Blob blob_;
  Device device_;
  Arguments arguments_;
  std::vector<Tensor> leaves_, cotangents_;
  bool compares_ = true;
};

bool HasGradient(const Tensor& t) {
  return t.defined() && t.numel() != 0 && (IsFloating(t.dtype()) || IsComplex(t.dtype()));
}

// Whether the call loses the gradient of its arguments: results could require one, and none does.
bool Loses(const OperatorEntry& op, const Json& call, Blob blob, Device device) {
  try {
    const Arguments arguments(op, call.at("args"), call.at("kwargs"), blob, device);
    bool any = false;
    for (const TensorArgument& t : arguments.tensors()) {
      if (!HasGradient(t.tensor)) continue;
      requires_grad_(t.tensor);
      any = true;
    }
    if (!any) return false;
    SeedDefaultGenerator(device, 0);
    Results results;
    CallBoxed(op, arguments.values(), results.Reset(op.num_results));
    bool could = false, does = false;
    ForEachTensor(results, [&](const Tensor& t) {
      could = could || HasGradient(t);
      does = does || (t.defined() && requires_grad(t));
    });
    return could && !does;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

Outcome ReplayGradient(const Json& call, Blob blob, Device device) {
  const OperatorEntry* op = Registry::Global().Find(OpOf(call));
  if (op == nullptr) return {Verdict::kMissing};
  Outcome o;
  const int64_t before = FallbackCalls();
  try {
    o.why = GradientReplay(*op, call, blob, device).Run();
  } catch (const Error& e) {
    if (e.code() != ErrorCode::kDataDependent || HasData(device)) o.why = e.message();
  }
  if (!o.why.empty()) o.verdict = Verdict::kFailed;
  o.fallback = FallbackCalls() != before;
  return o;
}

std::set<std::string> WithoutGradient(const std::string& folder, Device device) {
  std::set<std::string> found;
  for (int k = 0;; ++k) {
    const std::string calls = fmt::format("{}/cases-{}.jsonl.gz", folder, k);
    if (!std::filesystem::exists(calls)) return found;
    const std::vector<char> blob = ReadGzip(fmt::format("{}/blob-{}.bin.gz", folder, k));
    GzipLines lines(calls);
    for (std::string_view line; lines.Next(&line);) {
      const Json call = Json::parse(line);
      const std::string name = OpOf(call);
      const OperatorEntry* op = found.contains(name) ? nullptr : Registry::Global().Find(name);
      if (op != nullptr && Loses(*op, call, blob, device)) found.insert(name);
    }
  }
}

}  // namespace sy::replay
