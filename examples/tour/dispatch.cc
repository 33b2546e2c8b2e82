// Calls by string, what is registered, and why a call goes where it goes.

#include "switchyard/registry/registry.h"
#include "tour.h"

namespace tour {

void Dispatch() {
  Print("# By string");
  const sy::Tensor x = sy::zeros({5, 3});
  const sy::Tensor t = sy::tensor({{1., 2., 3.}, {4., 5., 6.}, {7., 8., 9.}});
  const sy::Tensor copied = sy::call("index_copy_", x, 0, sy::tensor({0, 4, 2}), t);
  Print(copied);
  Print(sy::Tensor(sy::call("add", x, 1, sy::kw("alpha", 2))));
  Print(sy::call("max", t, 1)[1].tensor());
  const sy::Outcome wrong = sy::try_call("index_cpy_", x);
  Print("error: ", wrong.message);

  Print("# The registry");
  sy::Registry& registry = sy::Registry::Global();
  Print(registry.Entries().size(), " operators in ", registry.PacketNames().size(), " packets");
  for (const sy::OperatorEntry* op : registry.Overloads(*registry.FindPacket("index_copy"))) {
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
