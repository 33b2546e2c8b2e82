// switchyard ops: what is registered.

#include <fnmatch.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "switchyard/dispatcher/call.h"
#include "switchyard/registry/registry.h"
#include "third_party/fmt/format.h"
#include "tools/command/commands.h"
#include "tools/listing/kernels.h"

namespace sy::command {
namespace {

using listing::DTypeList;
using listing::DTypeNames;
using listing::KernelLine;
using listing::KernelsOf;

struct Options {
  std::string pattern;
  bool json = false;
};

bool Matches(const std::string& pattern, const OperatorEntry& op) {
  if (pattern.empty()) return true;
  return fnmatch(pattern.c_str(), op.schema().full_name().c_str(), 0) == 0 ||
         fnmatch(pattern.c_str(), op.schema().name.c_str(), 0) == 0;
}

std::string_view VariantName(Variant kind) {
  switch (kind) {
    case Variant::kFunctional:
      return "functional";
    case Variant::kInPlace:
      return "in place";
    case Variant::kOut:
      return "out";
    case Variant::kView:
    case Variant::kViewInPlace:
      return "view";
    case Variant::kDirect:
      break;
  }
  return "direct";
}

// The one that kernels register for.
const OperatorEntry& BaseOf(const OperatorEntry& op) {
  const OperatorEntry* from = op.kernels->derived_from;
  return from == nullptr ? op.kernels->entry() : *from;
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
          {"base", BaseOf(op).name()},
          {"variant", VariantName(op.kind)},
          {"tags", NamesOf(op.tags)},
          {"kernels", kernels}};
}

void PrintText(Registry& registry, const OperatorEntry& op) {
  std::cout << op.schema().str() << "\n";
  for (const KernelLine& k : KernelsOf(registry, op)) {
    std::cout << fmt::format("    {}: {}  ({})\n", k.device, DTypeList(k.dtypes), k.source);
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
