// Unloading: everything that can fail comes before the first thing that cannot be taken back.

#include <absl/cleanup/cleanup.h>

#include <algorithm>
#include <utility>

#include "plugin/calls.h"
#include "plugin/loaded.h"
#include "plugin/state.h"
#include "switchyard/core/dlpack.h"
#include "switchyard/dispatcher/packing.h"
#include "third_party/fmt/format.h"

namespace sy::plugin {
namespace {

std::string Count(int64_t n, const char* what) {
  return n == 0 ? "" : fmt::format(", {} {}{}", n, what, n == 1 ? "" : "s");
}

void CountAlive(const Loaded& p, UnloadAnswer& a) {
  a.tensors = a.bytes = a.streams = a.events = a.exports = 0;
  for (Device* d : p.devices) {
    d->Settle();
    a.tensors += d->live_blocks();
    a.bytes += d->live_bytes();
    a.streams += d->live_streams();
    a.events += d->live_events();
    a.exports += LiveDlpackExports(FindDeviceType(d->name()));
  }
  for (const std::string& name : p.packings) a.tensors += CountPacked(name);
}

bool IsAlive(const UnloadAnswer& a) { return a.tensors + a.streams + a.events != 0; }

bool IsDefaultDevice(const Loaded& p) {
  const std::string_view name = DefaultDevice().type.name();
  return std::any_of(p.devices.begin(), p.devices.end(),
                     [&](const Device* d) { return d->name() == name; });
}

UnloadAnswer Busy(UnloadAnswer a, std::string more = "") {
  const std::string what = Count(a.tensors, "tensor") +
                           (a.tensors == 0 ? "" : fmt::format(" ({} bytes)", a.bytes)) +
                           Count(a.streams, "stream") + Count(a.events, "event") +
                           Count(a.exports, "DLPack export") + Count(a.calls, "call") + more;
  a.text = "busy: " + what.substr(std::min<size_t>(2, what.size()));
  return a;
}

UnloadAnswer Unload(std::string_view name) {
  const auto it = std::find_if(loaded().begin(), loaded().end(),
                               [&](const Loaded& p) { return p.info.name == name; });
  if (it == loaded().end()) Fail(ErrorCode::kNotFound, {"no plugin named '", name, "' is loaded"});
  Loaded& p = *it;
  UnloadAnswer a;
  if (Forked()) return Busy(a, ", loaded before fork: this process is the child");
  CountAlive(p, a);
  if (IsAlive(a)) return Busy(a);
  if (IsDefaultDevice(p)) return Busy(a, ", its device is the default device");
  constexpr size_t kLongestText = 128;
  a.text.reserve(kLongestText);  // what is said in the end needs no memory
  Close(p);
  absl::Cleanup stays = [&p] { Resume(p); };
  a.calls = WaitForCalls(p);
  CountAlive(p, a);
  if (a.calls != 0 || IsAlive(a)) return Busy(a);
  const KeepRounding keep;
  for (const KernelRecord* k : p.kernels) DropStates(*k);
  for (Device* d : p.devices) d->CloseAll();
  ErrorText error;
  const int32_t code = p.table.shutdown == nullptr ? SY_OK : p.table.shutdown(error.abi());
  if (code != SY_OK) {
    const std::string_view why = error.text().empty() ? NameOfAbi(code) : error.text();
    return Busy(a, fmt::format(", its shutdown says: {}", why));
  }
  std::move(stays).Cancel();
  Deregister(p);
  a.unloaded = true;
  a.unmapped = p.object->Close() && p.may_unmap;
  a.text = "unloaded";
  if (!p.may_unmap) {
    a.text += "; the object stays in memory, as it asks";
  } else if (!a.unmapped) {
    a.text += "; the object stays in memory: build it with -fno-gnu-unique";
  }
  loaded().erase(it);
  return a;
}

}  // namespace
}  // namespace sy::plugin

namespace sy {

UnloadAnswer unload_plugin(std::string_view name) {
  std::lock_guard lock(plugin::loader_mutex());
  return plugin::Unload(name);
}

}  // namespace sy
