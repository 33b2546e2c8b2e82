#include "backends/cuda/driver/cudnn.h"

#include <atomic>
#include <map>
#include <optional>
#include <string>

#include "backends/cuda/driver/switches.h"
#include "switchyard/core/logging.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

std::optional<DnnTable>& Given() {
  static std::optional<DnnTable> given;
  return given;
}

// What runs instead is right, and several times slower than a device can do.
void WarnOfOwnKernels(const std::string& why) {
  static std::atomic<bool> warned{false};
  if (warned.exchange(true) && !is_warn_always_enabled()) return;
  Log(LogLevel::kWarning,
      "convolutions, attention and batch norms on cuda are slow, since cuDNN does not serve: " +
          why);
}

struct Opened {
  DnnTable table;
  bool complete = false;

  Opened() {
    if (SwitchedOff("SWITCHYARD_CUDA_CUDNN")) return;
    if (Given()) {
      table = *Given();
      complete = true;
      return;
    }
    if (SwitchedOff("SWITCHYARD_CUDA_LIBRARIES")) return;
    Library& library = LibraryOf(Lib::kCudnn);
    if (!library.open()) {
      WarnOfOwnKernels("it cannot be opened: " + library.problem());
      return;
    }
    table = DnnTableOf(library);
    complete = library.problem().empty();
    if (!complete) WarnOfOwnKernels(library.path() + " is too old: " + library.problem());
  }
};

}  // namespace

DnnTable DnnTableOf(Library& library) {
  DnnTable table;
#define SY_CUDNN_FIND(name, type) \
  table.name = reinterpret_cast<decltype(table.name)>(library.Find("cudnn" #name));
  SY_CUDNN_FUNCTIONS(SY_CUDNN_FIND)
#undef SY_CUDNN_FIND
  return table;
}

void UseDnn(const DnnTable& table) { Given() = table; }

const DnnTable* FindDnn() {
  static const Opened* opened = new Opened;
  return opened->complete ? &opened->table : nullptr;
}

DnnHandle& DnnHandleOf(const DeviceState& device) {
  static std::mutex mutex;
  static auto* handles = new std::map<int, DnnHandle>;
  std::lock_guard lock(mutex);
  const auto [it, added] = handles->try_emplace(device.index());
  DnnHandle& h = it->second;
  if (!added) return h;
  const cudnnStatus_t status = FindDnn()->Create(&h.handle);
  h.failed = status != CUDNN_STATUS_SUCCESS;
  if (h.failed) {
    WarnOfOwnKernels(fmt::format("it does not start on {}: status {}", device.device().str(),
                                 static_cast<int>(status)));
  }
  return h;
}

}  // namespace sy::cuda
