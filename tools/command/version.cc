// switchyard version: the version, and the devices of this program.

#include "switchyard/core/version.h"

#include <iostream>

#include "switchyard/core/device_backend.h"
#include "tools/command/commands.h"

namespace sy::command {
namespace {

void Version() {
  std::cout << "switchyard " << kVersion << "\n";
  for (Row row = kHostRow; row < NumRows(); ++row) {
    const DeviceType type{row};
    DeviceBackend* backend = FindBackend(type);
    if (backend == nullptr) continue;
    std::string reason;
    const int count = backend->Count(&reason);
    std::cout << type.name() << ": " << count << (count == 1 ? " device" : " devices");
    if (!reason.empty()) std::cout << " (" << reason << ")";
    std::cout << ", " << DeviceSource(type) << "\n";
  }
}

}  // namespace

void AddVersion(CLI::App& app) {
  app.add_subcommand("version", "Print the version and the devices")->callback([] { Version(); });
}

}  // namespace sy::command
