// A plugin's kernels and operators as the registry has them.
//
// Records live for the process, one for each thing that a plugin of some name registers, and are
// used again when it is loaded again: whoever still holds a pointer to one finds that its function
// is gone, and calls nothing that is unmapped.
// Owns: the texts its registrations point to.
// Threads: the loader writes under its lock and while no call is inside; calls from any thread.
#ifndef PLUGIN_KERNEL_H_
#define PLUGIN_KERNEL_H_

#include <atomic>
#include <memory>
#include <string>

#include "plugin/device.h"
#include "switchyard/registry/registry.h"
#include "switchyard/registry/viewed.h"

namespace sy::plugin {

struct KernelRecord {
  KernelDef def;  // what the registry holds
  std::string plugin;
  int slot = 0;
  std::atomic<SyKernelFn> fn{nullptr};  // null: not loaded
  SyKernelFn loaded_fn = nullptr;
  void* user = nullptr;
  Device* own = nullptr;  // the plugin's device that it is for; null when not the plugin's
  ViewedKernel viewed;
  std::atomic<int64_t> declined{0};
  std::string op, source;
  std::string device;
};

inline void* UserOf(const KernelRecord& r) { return r.user; }

// An operator without a typed rule: its kernels are boxed, and get outputs that its shape callback
// has stated.
struct OperatorRecord {
  OperatorDef def{.schema = SchemaText::Of("")};
  KernelDef meta;  // shapes only, on the meta device
  std::string plugin;
  int slot = 0;
  std::atomic<bool> loaded{false};
  bool meta_registered = false;
  SyShapeFn shape = nullptr;
  void* user = nullptr;
  std::string schema, name, source;
};

// The record of that identity, made when there is none. `def` has been checked.
KernelRecord& KernelRecordOf(const std::string& plugin, int slot, const SyKernelDef& def);
OperatorRecord& OperatorRecordOf(const std::string& plugin, int slot, const SyOperatorDef& def);

// The record behind an operator; null when it is not a plugin's.
const OperatorRecord* RecordOf(const OperatorEntry& op);

// The outputs that its shape callback states for these arguments. Errors: as the callback's.
void MakeOutputs(const OperatorRecord& op, std::span<const Value> args, KeyWord key, Tensor* outs,
                 int n);

// BoxedFn of every plugin's kernels: calls of operators without a typed rule, and with lists.
void RunKernel(const BoxedCall& call);
// And their ViewedFn: all others.
void RunViewedKernel(const KernelDef& kernel, KeyWord key, const TensorView* const* outs,
                     const Value* args, uint64_t counts);

}  // namespace sy::plugin

#endif  // PLUGIN_KERNEL_H_
