#include "plugin/loaded.h"

#include <chrono>
#include <thread>

#include "plugin/calls.h"
#include "switchyard/core/device_removal.h"
#include "switchyard/core/fork.h"
#include "switchyard/dispatcher/packing.h"
#include "switchyard/registry/derivative.h"

namespace sy::plugin {

std::recursive_mutex& loader_mutex() {
  static auto* m = new std::recursive_mutex;
  return *m;
}

const internal::AtFork at_fork{internal::ForkRank::kPlugins, [](internal::ForkPhase phase) {
                                 internal::HoldAcross(phase, loader_mutex());
                               }};

std::list<Loaded>& loaded() {
  static auto* l = new std::list<Loaded>;
  return *l;
}

PluginInfo Describe(const Loaded& p) {
  PluginInfo info = p.info;
  info.loaded = true;
  info.devices.clear();
  info.operators.clear();
  for (const Device* d : p.devices) info.devices.push_back(d->name());
  for (const OperatorRecord* o : p.operators) info.operators.push_back(o->name);
  info.kernels = static_cast<int64_t>(p.kernels.size());
  for (const KernelRecord* k : p.kernels)
    info.declined += k->declined.load(std::memory_order_relaxed);
  return info;
}

void Close(Loaded& p) noexcept {
  for (KernelRecord* k : p.kernels) k->fn.store(nullptr, std::memory_order_release);
  for (OperatorRecord* o : p.operators) o->loaded.store(false, std::memory_order_release);
  for (PluginLayer* l : p.layers) l->Close();
  for (Device* d : p.devices) d->Close();
}

void Resume(Loaded& p) noexcept {
  for (Device* d : p.devices) d->Resume();
  for (PluginLayer* l : p.layers) l->Open();
  for (OperatorRecord* o : p.operators) o->loaded.store(true, std::memory_order_release);
  for (KernelRecord* k : p.kernels) k->fn.store(k->loaded_fn, std::memory_order_release);
}

int64_t WaitForCalls(const Loaded& p) noexcept {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (true) {
    int64_t here = 0;
    int64_t calls = CallsInside(p.slot, &here);
    for (const Device* d : p.devices) {
      int64_t here_too = 0;
      calls += CallsInside(d->slot(), &here_too);
      here += here_too;
    }
    if (calls == 0 || here != 0 || std::chrono::steady_clock::now() > end) return calls;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

void Deregister(Loaded& p) noexcept {
  // What names operators goes before they do.
  for (const std::string& op : p.gradients) RemoveDerivative(op);
  for (const std::string& name : p.packings) sy::internal::RemovePacking(name);
  for (KernelRecord* k : p.kernels) p.registry->Remove(k->def);
  for (OperatorRecord* o : p.operators) {
    if (o->meta_registered) p.registry->Remove(o->meta);
    if (o->any_registered) p.registry->Remove(o->any);
    o->meta_registered = o->any_registered = false;
    p.registry->Remove(o->def);
  }
  for (Device* d : p.devices) UnregisterDevice(FindDeviceType(d->name()));
  p.layers.clear();
  p.gradients.clear();
  p.packings.clear();
  p.kernels.clear();
  p.operators.clear();
  p.devices.clear();
}

}  // namespace sy::plugin
