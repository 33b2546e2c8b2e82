#include "switchyard/dispatcher/tracer.h"

#include <map>

#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace sy {
namespace {

constexpr int kOrder = 200;

thread_local int depth = 0;

LayerId RegisterUnderFreeName(Layer* layer) {
  for (int i = 1;; ++i) {
    const std::string name = i == 1 ? "tracer" : "tracer" + std::to_string(i);
    try {
      return RegisterLayer(name, kOrder, layer);
    } catch (const Error& e) {
      if (e.code() != ErrorCode::kRegistration) throw;
    }
  }
}

}  // namespace

Tracer::Tracer() : id_(RegisterUnderFreeName(this)) {}
Tracer::~Tracer() { UnregisterLayer(id_); }

int Tracer::Number(const Tensor& t) {
  if (const auto found = numbers_.find(t.impl()); found != numbers_.end()) return found->second;
  tensors_.push_back(t);
  try {
    const int number = static_cast<int>(tensors_.size());
    numbers_.emplace(t.impl(), number);
    return number;
  } catch (...) {
    tensors_.pop_back();
    throw;
  }
}

std::string Tracer::Describe(const Value& v, std::vector<int>* numbers) {
  const auto one = [&](const Tensor& t) -> std::string {
    if (!t.defined()) return "None";
    numbers->push_back(Number(t));
    return fmt::format("%{}", numbers->back());
  };
  if (v.tag == Tag::kTensor) return one(v.tensor());
  if (v.tag != Tag::kTensorList) return v.str();
  std::string s = "[";
  for (const Tensor& t : v.list<Tensor>()) s += (s.size() > 1 ? ", " : "") + one(t);
  return s + "]";
}

void Tracer::OnCall(LayerCall& call) {
  const int64_t at = Begin(call);
  ++depth;
  try {
    call.Redispatch();
  } catch (const std::exception& e) {
    --depth;
    Fail(at, e.what());
    throw;
  }
  --depth;
  End(at, call);
}

int64_t Tracer::Begin(const LayerCall& call) noexcept {
  std::lock_guard lock(mutex_);
  try {
    Step step;
    step.op = call.op.name();
    step.depth = depth;
    const auto& arguments = call.op.schema().arguments;
    for (size_t i = 0; i < call.args.size(); ++i) {
      step.arguments += i == 0 ? "" : ", ";
      if (arguments[i].kwarg_only) step.arguments += arguments[i].name + "=";
      step.arguments += Describe(call.args[i], &step.inputs);
    }
    steps_.push_back(std::move(step));
    return static_cast<int64_t>(steps_.size()) - 1;
  } catch (const std::exception&) {  // no memory
    ++lost_;
    return -1;
  }
}

void Tracer::End(int64_t at, const LayerCall& call) noexcept {
  std::lock_guard lock(mutex_);
  if (at < 0 || at >= static_cast<int64_t>(steps_.size())) return;  // lost, or cleared meanwhile
  Step& step = steps_[static_cast<size_t>(at)];
  try {
    for (const Result& r : call.results) {
      step.results += step.results.empty() ? "" : ", ";
      step.results += r.value().str();
      Describe(r.value(), &step.outputs);
    }
  } catch (const std::exception&) {  // no memory
    ++lost_;
  }
}

void Tracer::Fail(int64_t at, const char* error) noexcept {
  std::lock_guard lock(mutex_);
  if (at < 0 || at >= static_cast<int64_t>(steps_.size())) return;
  try {
    steps_[static_cast<size_t>(at)].error = error;
  } catch (const std::exception&) {  // no memory
    ++lost_;
  }
}

int64_t Tracer::lost() const {
  std::lock_guard lock(mutex_);
  return lost_;
}

std::vector<Tracer::Step> Tracer::Steps() const {
  std::lock_guard lock(mutex_);
  return steps_;
}

void Tracer::Clear() {
  std::lock_guard lock(mutex_);
  steps_.clear();
  numbers_.clear();
  tensors_.clear();
  lost_ = 0;
}

std::string Tracer::Text() const {
  std::string s;
  for (const Step& step : Steps()) {
    s.append(static_cast<size_t>(2 * step.depth), ' ');
    if (!step.outputs.empty()) s += fmt::format("%{} = ", fmt::join(step.outputs, ", %"));
    s += fmt::format("{}({})", step.op, step.arguments);
    if (!step.results.empty()) s += " -> " + step.results;
    if (!step.error.empty()) s += " threw: " + step.error.substr(0, step.error.find('\n'));
    s += "\n";
  }
  if (const int64_t n = lost(); n != 0)
    s += fmt::format("not recorded, out of memory: {} steps\n", n);
  return s;
}

std::string Tracer::Graphviz() const {
  std::string s = "digraph trace {\n  rankdir=TB;\n  node [shape=box];\n";
  std::map<int, int> maker;  // tensor → step that made it last
  int number = 0;
  for (const Step& step : Steps()) {
    if (step.depth != 0) continue;
    s += fmt::format("  s{} [label=\"{}\"];\n", number, step.op);
    for (int t : step.inputs) {
      if (const auto it = maker.find(t); it != maker.end()) {
        s += fmt::format("  s{} -> s{} [label=\"%{}\"];\n", it->second, number, t);
      } else {
        s += fmt::format("  t{0} [label=\"%{0}\", shape=ellipse];\n  t{0} -> s{1};\n", t, number);
      }
    }
    for (int t : step.outputs) maker[t] = number;
    ++number;
  }
  return s + "}\n";
}

}  // namespace sy
