// switchyard ops: what is registered.

#include <fnmatch.h>

#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "switchyard/dispatcher/call.h"
#include "switchyard/registry/registry.h"
#include "tools/command/commands.h"

namespace sy::command {
namespace {

struct Options {
  std::string pattern;
  bool json = false;
};

bool Matches(const std::string& pattern, const OperatorEntry& op) {
  if (pattern.empty()) return true;
  return fnmatch(pattern.c_str(), op.schema().full_name().c_str(), 0) == 0 ||
         fnmatch(pattern.c_str(), op.schema().name.c_str(), 0) == 0;
}

struct KernelLine {
  std::string device;
  DTypeMask dtypes;
  std::string source;
};

// Everything that may serve the operator on some device, those of the operator it is derived from
// included.
std::vector<KernelLine> KernelsOf(Registry& registry, const OperatorEntry& op) {
  std::vector<KernelLine> lines;
  if (op.kind == FormKind::kView || op.kind == FormKind::kViewInPlace)
    return {{"any", kAnyDType, op.def()->source()}};  // what makes a view is the shape rule
  for (const Candidate& c : registry.Candidates(op, MakeKey(kHostRow, DType::kFloat32))) {
    const KernelDef& k = *c.kernel;
    lines.push_back({k.device == nullptr ? "any" : k.device, k.dtypes, k.source()});
  }
  if (lines.empty() && op.kernels->derived_from != nullptr)
    lines = KernelsOf(registry, *op.kernels->derived_from);
  std::sort(lines.begin(), lines.end(), [](const KernelLine& a, const KernelLine& b) {
    return std::tie(a.device, a.source) < std::tie(b.device, b.source);
  });
  return lines;
}

std::vector<std::string> DTypeNames(DTypeMask mask) {
  if (mask == kAnyDType) return {"any"};
  std::vector<std::string> names;
  for (int i = 0; i < kNumDTypes; ++i) {
    const DType d = static_cast<DType>(i);
    if (Contains(mask, d)) names.emplace_back(Name(d));
  }
  return names;
}

nlohmann::ordered_json ToJson(Registry& registry, const OperatorEntry& op) {
  nlohmann::ordered_json kernels = nlohmann::ordered_json::array();
  for (const KernelLine& k : KernelsOf(registry, op)) {
    for (const std::string& dtype : DTypeNames(k.dtypes))
      kernels.push_back({{"device", k.device}, {"dtype", dtype}, {"source", k.source}});
  }
  return {{"name", op.schema().name},
          {"overload", op.schema().overload},
          {"schema", op.schema().str()},
          {"kernels", kernels}};
}

void PrintText(Registry& registry, const OperatorEntry& op) {
  std::cout << op.schema().str() << "\n";
  for (const KernelLine& k : KernelsOf(registry, op)) {
    std::string dtypes;
    for (const std::string& d : DTypeNames(k.dtypes)) dtypes += (dtypes.empty() ? "" : " ") + d;
    std::cout << "    " << k.device << ": " << dtypes << "  (" << k.source << ")\n";
  }
}

void List(const Options& o) {
  Registry& registry = Registry::Global();
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  bool any = false;
  for (const OperatorEntry* op : registry.Entries()) {
    if (!Matches(o.pattern, *op)) continue;
    any = true;
    if (o.json) {
      all.push_back(ToJson(registry, *op));
    } else {
      PrintText(registry, *op);
    }
  }
  if (!any && o.pattern.find_first_of("*?[") == std::string::npos && !o.pattern.empty())
    FindOverload(o.pattern, {}, {});  // refuses the name, and says what it may have meant
  if (o.json) std::cout << all.dump(1) << "\n";
  for (const std::string& problem : registry.Problems()) std::cerr << problem << "\n";
}

}  // namespace

void AddOps(CLI::App& app) {
  auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand("ops", "List operators, their schemas and kernels");
  c->add_option("pattern", o->pattern, "Only names that match, as shells match: 'add*'");
  c->add_flag("--json", o->json, "As JSON");
  c->callback([o] { List(*o); });
}

}  // namespace sy::command
