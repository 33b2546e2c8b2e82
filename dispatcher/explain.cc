#include "switchyard/dispatcher/explain.h"

#include <atomic>

#include "core/format/format.h"
#include "dispatcher/call_internal.h"
#include "switchyard/core/device.h"
#include "switchyard/core/dtype_names.h"
#include "switchyard/core/error.h"
#include "switchyard/dispatcher/fallback.h"
#include "switchyard/registry/formula.h"
#include "switchyard/registry/registry.h"

namespace sy {
namespace {

std::atomic<internal::KernelNoteFn> kernel_notes{nullptr};

// The verdict, with what its owner has to say.
std::string Verdict(const Candidate& c) {
  const internal::KernelNoteFn notes = kernel_notes.load(std::memory_order_acquire);
  const std::string note = notes == nullptr ? "" : notes(*c.kernel);
  return note.empty() ? std::string(c.verdict) : fmt::format("{}; {}", c.verdict, note);
}

std::string DTypeList(DTypeMask mask) { return mask == kAnyDType ? "any" : DTypeNames(mask); }

std::string_view VariantName(Variant kind) {
  switch (kind) {
    case Variant::kFunctional:
      return "functional, from a shape function";
    case Variant::kInPlace:
      return "in place, from a shape function";
    case Variant::kOut:
      return "out=, from a shape function";
    case Variant::kView:
    case Variant::kViewInPlace:
      return "view, from a shape function";
    case Variant::kDirect:
      break;
  }
  return "kernels return the results";
}

// "sy::f::LeakyRelu of 1 tensor and 1 number, in float16, …; stated at file:line"
std::string FormulaText(const FormulaDef& formula) {
  const FormulaFacts& facts = formula.facts;
  const auto count = [](int n, std::string_view what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  std::string s = fmt::format("{} of {}", formula.type(), count(facts.inputs, "tensor"));
  if (facts.params != 0) s += " and " + count(facts.params, "number");
  s += ", in " + DTypeList(facts.dtypes);
  if (facts.widened != 0) s += ", by conversion in " + DTypeList(facts.widened);
  return s + fmt::format("; stated at {}:{}", formula.file, formula.line);
}

SY_COLD Explanation ExplainOne(Registry& registry, const OperatorEntry& op, DeviceType device,
                               DType dtype);

// An in-place or out= variant without a kernel of its own: what another operator gives, copied.
bool DerivedOutcome(Registry& registry, const OperatorEntry& op, DeviceType device, DType dtype,
                    Explanation& e) {
  const OperatorEntry* from = op.kernels->derived_from;
  if (from == nullptr || op.def() == nullptr || op.def()->copies_results == nullptr) return false;
  Explanation its = ExplainOne(registry, *from, device, dtype);
  e.outcome = fmt::format("the results of {}, copied; there: {}", from->name(), its.outcome);
  e.candidates.insert(e.candidates.end(), its.candidates.begin(), its.candidates.end());
  e.fallback = std::move(its.fallback);
  return true;
}

SY_COLD Explanation ExplainOne(Registry& registry, const OperatorEntry& op, DeviceType device,
                               DType dtype) {
  const KeyWord key = MakeKey(device.row, dtype);
  Explanation e;
  e.op = op.name();
  e.schema = op.schema().str();
  e.registered_at = op.def() == nullptr ? "" : op.def()->source();
  e.device = device.name();
  e.dtype = dtype;
  e.variant = VariantName(op.kind);
  if (op.kernels->formula != nullptr) e.formula = FormulaText(*op.kernels->formula);
  if (op.kind == Variant::kView || op.kind == Variant::kViewInPlace) {
    e.outcome = "a view on every device: nothing is computed";
    return e;
  }
  bool found = false;
  for (const Candidate& c : registry.Candidates(op, key)) {
    const KernelDef& k = *c.kernel;
    ExplainedCandidate x{k.device == nullptr ? "any" : k.device, DTypeList(k.dtypes), k.source(),
                         false, Verdict(c)};
    if (c.usable && !found) {
      found = x.chosen = true;
      e.outcome = "the kernel at " + k.source();
      if (k.fn == nullptr && k.boxed == nullptr)
        e.outcome = "shapes only: the device computes nothing";
    }
    e.candidates.push_back(std::move(x));
  }
  std::string why;
  if (!found && DerivedOutcome(registry, op, device, dtype, e)) return e;
  const bool serves = FallbackServes(op, key, &why);
  e.fallback = serves ? "the host's kernel on copies" : why;
  if (!found) {
    e.outcome = serves ? "the host's kernel on copies of the tensors" : "error: not implemented";
  }
  return e;
}

}  // namespace

void internal::SetKernelNotes(KernelNoteFn fn) {
  kernel_notes.store(fn, std::memory_order_release);
}

std::vector<Explanation> explain(std::string_view name, std::string_view device_text, DType dtype) {
  if (name.starts_with("aten::")) name.remove_prefix(6);
  Registry& registry = Registry::Global();
  const Device device = ParseDevice(device_text);
  std::vector<Explanation> all;
  if (name.find('.') == name.npos) {
    if (OverloadPacket* f = registry.FindPacket(name)) {
      for (const OperatorEntry* op : registry.Overloads(*f))
        all.push_back(ExplainOne(registry, *op, device.type, dtype));
    }
  } else if (const OperatorEntry* op = registry.Find(name)) {
    all.push_back(ExplainOne(registry, *op, device.type, dtype));
  }
  if (all.empty())
    Fail(ErrorCode::kNotFound,
         {"no operator named '", name, "'", internal::NearestName(registry, name)});
  return all;
}

std::string Explanation::str() const {
  std::string s = fmt::format("{} on {} with {}\n", op, device, dtype);
  const auto line = [&s](std::string_view name, std::string_view value) {
    s += fmt::format("  {:<10} {}\n", name, value);
  };
  line("schema", schema);
  line("registered", registered_at);
  line("variant", variant);
  if (!formula.empty()) line("formula", formula);
  line("outcome", outcome);
  for (const ExplainedCandidate& c : candidates) {
    s += fmt::format("  {} device {}, dtypes {}\n      at {}\n      {}: {}\n", c.chosen ? "→" : " ",
                     c.device, c.dtypes, c.source, c.chosen ? "taken" : "passed over", c.verdict);
  }
  if (!fallback.empty()) line("fallback", fallback);
  return s;
}

}  // namespace sy
