// What tests of plugins share: where the objects are, and what must be the same after a failure.
#ifndef PLUGIN_TESTING_H_
#define PLUGIN_TESTING_H_

#include <cstdlib>
#include <filesystem>
#include <string>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/error.h"
#include "switchyard/plugin/load.h"
#include "switchyard/registry/registry.h"

namespace sy::testing {

inline std::string PluginPath(const std::string& name) {
  return std::filesystem::absolute("plugin/testdata/lib" + name + ".so").string();
}

// Every operator, kernel, device and problem.
inline std::string Snapshot() {
  Registry& r = Registry::Global();
  std::string s;
  for (const OperatorEntry* op : r.Entries()) {
    s += op->schema().str() + "\n";
    for (const KernelDef* k : r.KernelsOf(*op)) s += "  " + k->source() + "\n";
  }
  for (int row = 1; row < NumRows(); ++row) {
    const DeviceType type{static_cast<Row>(row)};
    if (FindBackend(type) != nullptr) s += std::string(type.name()) + "\n";
  }
  for (const std::string& p : r.Problems()) s += p + "\n";
  return s;
}

// What loading answers: "" when it is loaded.
inline std::string LoadError(const std::string& path, const PluginSearch& search = {}) {
  try {
    load_plugin(path, search);
    return "";
  } catch (const Error& e) {
    return std::string(Name(e.code())) + ": " + e.message();
  }
}

// The fault plugin with a fault, for one scope.
class Fault {
 public:
  explicit Fault(const char* name) { setenv("FAULT", name, 1); }
  ~Fault() { unsetenv("FAULT"); }
};

}  // namespace sy::testing

#endif  // PLUGIN_TESTING_H_
