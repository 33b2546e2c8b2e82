// Calls by string, what is registered, and why a call goes where it goes.

#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/explain.h"
#include "switchyard/registry/registry.h"
#include "tour.h"

namespace tour {

void Dispatch() {
  Print("# By string");
  const sy::Tensor x = sy::zeros({5, 3});
  const sy::Tensor t = sy::tensor({{1., 2., 3.}, {4., 5., 6.}, {7., 8., 9.}});
  sy::Results r = sy::call("index_copy_", x, 0, sy::tensor({0, 4, 2}), t);
  Print(r.tensor());
  Print(sy::call("add", x, t.defined() ? 1 : 0, sy::kw("alpha", 2)).tensor());
  Print(sy::call("max", t, 1)[1].tensor());
  const sy::Outcome wrong = sy::try_call("index_cpy_", x);
  Print("error: ", wrong.message);

  Print("# The registry");
  sy::Registry& registry = sy::Registry::Global();
  for (const sy::OperatorEntry* op : registry.Entries()) {
    std::string devices;
    for (const sy::KernelDef* k : registry.KernelsOf(*op)) {
      const std::string device = k->device == nullptr ? "composite" : k->device;
      if (devices.find(device) == std::string::npos) devices += " " + device;
    }
    Print(op->schema().str(), " :", devices);
  }

  Print("# One call explained");
  Print(sy::explain("index_copy_", "cpu", sy::DType::kFloat32)[0].str());
}

}  // namespace tour
