// switchyard explain: why a call goes where it goes.

#include "switchyard/dispatcher/explain.h"

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "tools/command/commands.h"

namespace sy::command {
namespace {

struct Options {
  std::string op, device;
  std::vector<std::string> dtypes;
  bool json = false;
};

nlohmann::ordered_json ToJson(const Explanation& e) {
  nlohmann::ordered_json candidates = nlohmann::ordered_json::array();
  for (const ExplainedCandidate& c : e.candidates) {
    candidates.push_back({{"device", c.device},
                          {"dtypes", c.dtypes},
                          {"source", c.source},
                          {"chosen", c.chosen},
                          {"verdict", c.verdict}});
  }
  return {{"op", e.op},           {"schema", e.schema},       {"registered_at", e.registered_at},
          {"device", e.device},   {"dtype", Name(e.dtype)},   {"variant", e.variant},
          {"formula", e.formula}, {"candidates", candidates}, {"fallback", e.fallback},
          {"outcome", e.outcome}};
}

void Explain(const Options& o) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const std::string& dtype : o.dtypes) {
    for (const Explanation& e : explain(o.op, o.device, ParseDType(dtype))) {
      if (o.json) {
        all.push_back(ToJson(e));
      } else {
        std::cout << e.str();
      }
    }
  }
  if (o.json) std::cout << all.dump(1) << "\n";
}

}  // namespace

void AddExplain(CLI::App& app) {
  auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand("explain", "Say which kernel a call reaches, and why");
  c->add_option("op", o->op, "Operator or overload: add, add.Tensor")->required();
  c->add_option("device", o->device, "Device type: cpu, meta")->required();
  c->add_option("dtypes", o->dtypes, "Dtypes to compute in: float32")->required();
  c->add_flag("--json", o->json, "As JSON");
  c->callback([o] { Explain(*o); });
}

}  // namespace sy::command
