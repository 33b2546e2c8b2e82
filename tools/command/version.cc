// switchyard version: the version, and the devices of this program.

#include "switchyard/core/version.h"

#include <iostream>

#include "switchyard/core/device_backend.h"
#include "third_party/fmt/format.h"
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
    std::cout << fmt::format(
        "{}: {} {}{}, {}\n", type.name(), count, count == 1 ? "device" : "devices",
        reason.empty() ? "" : fmt::format(" ({})", reason), DeviceSource(type));
  }
}

}  // namespace

void AddVersion(CLI::App& app) {
  app.add_subcommand("version", "Print the version and the devices")->callback([] { Version(); });
}

}  // namespace sy::command
