#include "switchyard/core/device_backend.h"
#include "switchyard/core/error.h"
#include "tools/command/commands.h"

namespace sy::command {

Device PresentDevice(const std::string& text) {
  const Device device = ParseDevice(text);
  std::string reason;
  const int count = BackendOf(device.type).Count(&reason);
  if (count == 0 || device.index >= count) {
    Fail(ErrorCode::kUnavailable, {"there is no device '", text, "': ", device.type.name(), " has ",
                                   count, reason.empty() ? "" : ", " + reason});
  }
  return device;
}

}  // namespace sy::command
