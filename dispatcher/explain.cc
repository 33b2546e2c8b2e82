#include "switchyard/dispatcher/explain.h"

#include "dispatcher/call_internal.h"
#include "switchyard/core/device.h"
#include "switchyard/core/error.h"
#include "switchyard/dispatcher/fallback.h"
#include "switchyard/registry/registry.h"

namespace sy {
namespace {

std::string DTypeList(DTypeMask mask) {
  if (mask == kAnyDType) return "any";
  std::string s;
  for (int i = 0; i < kNumDTypes; ++i) {
    const DType d = static_cast<DType>(i);
    if (Contains(mask, d)) s += (s.empty() ? "" : ", ") + std::string(Name(d));
  }
  return s;
}

std::string_view FormName(FormKind kind) {
  switch (kind) {
    case FormKind::kFunctional:
      return "functional, from a shape rule";
    case FormKind::kInPlace:
      return "in place, from a shape rule";
    case FormKind::kOut:
      return "out=, from a shape rule";
    case FormKind::kView:
    case FormKind::kViewInPlace:
      return "view, from a shape rule";
    case FormKind::kDirect:
      break;
  }
  return "kernels return the results";
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
  e.form = FormName(op.kind);
  if (op.kind == FormKind::kView || op.kind == FormKind::kViewInPlace) {
    e.outcome = "a view on every device: nothing is computed";
    return e;
  }
  bool found = false;
  for (const Candidate& c : registry.Candidates(op, key)) {
    const KernelDef& k = *c.kernel;
    ExplainedCandidate x{k.device == nullptr ? "any" : k.device, DTypeList(k.dtypes), k.source(),
                         false, c.verdict};
    if (c.usable && !found) {
      found = x.chosen = true;
      e.outcome = Join({"the kernel at ", k.source()});
      if (k.fn == nullptr && k.boxed == nullptr)
        e.outcome = "shapes only: the device computes nothing";
    }
    e.candidates.push_back(std::move(x));
  }
  std::string why;
  const bool serves = FallbackServes(op, key, &why);
  e.fallback = serves ? "the host's kernel on copies" : why;
  if (!found) {
    e.outcome = serves ? "the host's kernel on copies of the tensors" : "error: not implemented";
  }
  return e;
}

}  // namespace

std::vector<Explanation> explain(std::string_view name, std::string_view device_text, DType dtype) {
  if (name.starts_with("aten::")) name.remove_prefix(6);
  Registry& registry = Registry::Global();
  const Device device = ParseDevice(device_text);
  std::vector<Explanation> all;
  if (name.find('.') == name.npos) {
    if (Family* f = registry.FindFamily(name)) {
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
  std::string s =
      Join({op, " on ", device, " with ", dtype, "\n  schema     ", schema, "\n  registered ",
            registered_at, "\n  form       ", form, "\n  outcome    ", outcome, "\n"});
  for (const ExplainedCandidate& c : candidates) {
    s +=
        Join({c.chosen ? "  → " : "    ", "device ", c.device, ", dtypes ", c.dtypes, "\n      at ",
              c.source, "\n      ", c.chosen ? "taken: " : "passed over: ", c.verdict, "\n"});
  }
  if (!fallback.empty()) s += Join({"  fallback   ", fallback, "\n"});
  return s;
}

}  // namespace sy
