#include "switchyard/registry/derivative.h"

#include <charconv>
#include <map>
#include <mutex>

#include "switchyard/core/error.h"

namespace sy {

constinit std::atomic<void (*)()> internal::derivatives_changed{nullptr};

namespace {

struct Said {
  std::mutex mutex;
  std::map<std::string, std::string, std::less<>> by_op;

  static Said& Get() {
    static Said& s = *new Said;
    return s;
  }
};

void Changed() {
  if (const auto f = internal::derivatives_changed.load(std::memory_order_acquire)) f();
}

// "grad" and "grad_0": 0; "grad_2": 2; of another name, or beyond n: -1.
int Number(std::string_view name, std::string_view what, size_t n) {
  if (!name.starts_with(what)) return -1;
  name.remove_prefix(what.size());
  if (name.empty()) return 0;
  if (name[0] != '_') return -1;
  unsigned at = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + 1, end, at);
  return error == std::errc() && stop == end && at < n ? static_cast<int>(at) : -1;
}

int FirstTensor(const Schema& s) {
  for (size_t i = 0; i < s.arguments.size(); ++i) {
    if (s.arguments[i].type.is_tensor()) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

void AddDerivative(std::string_view op, std::string_view by) {
  Said& said = Said::Get();
  {
    std::lock_guard lock(said.mutex);
    const auto [at, added] = said.by_op.emplace(op, by);
    if (!added) {
      Fail(ErrorCode::kRegistration, {"the gradient of '", op, "' is '", at->second,
                                      "' already; it cannot be '", by, "', too"});
    }
  }
  Changed();
}

void RemoveDerivative(std::string_view op) noexcept {
  Said& said = Said::Get();
  {
    std::lock_guard lock(said.mutex);
    const auto at = said.by_op.find(op);
    if (at == said.by_op.end()) return;
    said.by_op.erase(at);
  }
  Changed();
}

std::string FindDerivative(std::string_view op) {
  Said& said = Said::Get();
  std::lock_guard lock(said.mutex);
  const auto at = said.by_op.find(op);
  return at == said.by_op.end() ? "" : at->second;
}

std::string MatchDerivative(const Schema& op, const Schema& by, DerivativeMatch* match) {
  const auto problem = [&](std::initializer_list<Piece> pieces) {
    return Join({"the gradient of ", op.full_name(), " by ", by.full_name(), ": ", Join(pieces)});
  };
  *match = {};
  for (const Argument& a : by.arguments) {
    DerivativeMatch::Source s;
    const int own = op.Find(a.name), grad = Number(a.name, "grad", op.returns.size()),
              result = Number(a.name, "result", op.returns.size());
    if (own >= 0) {
      s = {DerivativeMatch::From::kArgument, static_cast<size_t>(own)};
      const Type& type = op.arguments[s.at].type;
      if (type.Code() != a.type.Code()) {
        return problem({"argument '", a.name, "' is ", a.type.str(), ", expected ", type.str()});
      }
    } else if (grad >= 0 || result >= 0) {
      const bool is_grad = grad >= 0;
      s = {is_grad ? DerivativeMatch::From::kGradient : DerivativeMatch::From::kResult,
           static_cast<size_t>(is_grad ? grad : result)};
      if (!a.type.is_tensor() || !op.returns[s.at].type.is_tensor()) {
        return problem({"argument '", a.name, "' is ", a.type.str(), " for a result that is ",
                        op.returns[s.at].type.str(), ", expected tensors"});
      }
    } else if (!a.has_default) {
      return problem({"nothing is named '", a.name, "'"});
    }
    match->arguments.push_back(s);
  }
  if (by.returns.empty()) return problem({"it has no results"});
  for (const Argument& r : by.returns) {
    const bool first = r.name.empty() && by.returns.size() == 1;
    const int at = first ? FirstTensor(op) : op.Find(r.name);
    if (at < 0 || !op.arguments[static_cast<size_t>(at)].type.is_tensor() || !r.type.is_tensor()) {
      return problem({"result '", r.name, "' is the name of no tensor argument"});
    }
    match->inputs.push_back(static_cast<size_t>(at));
  }
  return "";
}

}  // namespace sy
