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
#include <mutex>
#include <string>

#include "plugin/device.h"
#include "switchyard/op/viewed.h"
#include "switchyard/registry/registry.h"

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
  mutable std::mutex mutex;
  std::string last_decline;  // why, as the kernel said it last; under the mutex
  std::string op, source;
  std::string device;
};

inline void* UserOf(const KernelRecord& r) { return r.user; }

// How an operator of a plugin gets its outputs: from its kernels, from sizes that a callback of
// version 1.0 states, from a rule, or from the operator that it is with numbers for tensors.
enum class OutputsFrom : uint8_t { kKernels, kShapeFunction, kRule, kNumbersFor };

// An operator without a typed shape function: its kernels are boxed, and get outputs that its rule
// has stated, or give them. What calls read outside a CallScope is as it was when the record was
// made.
struct OperatorRecord {
  OperatorDef def{.schema = SchemaText::Of("")};
  KernelDef meta;  // shapes only, on the meta device
  KernelDef any;   // where no kernel serves what arguments say: the rule may say otherwise
  std::string plugin;
  int slot = 0;
  std::atomic<bool> loaded{false};
  bool meta_registered = false, any_registered = false;
  SyShapeFn shape = nullptr;  // these three: in a CallScope, where it is loaded
  SyRuleFn rule = nullptr;
  void* user = nullptr;
  OutputsFrom outputs_from = OutputsFrom::kKernels;
  int num_outputs = 0;
  bool is_view = false;
  std::string schema, name, source;
  std::string numbers_for;  // the operator that serves it, with tensors for numbers; or ""
  bool has_rule() const {
    return outputs_from == OutputsFrom::kShapeFunction || outputs_from == OutputsFrom::kRule;
  }
};

// The record of that identity, made when there is none. `def` has been checked.
KernelRecord& KernelRecordOf(const std::string& plugin, int slot, const SyKernelDef& def);
OperatorRecord& OperatorRecordOf(const std::string& plugin, int slot, const SyOperatorDef& def);

// The record behind an operator; null when it is not a plugin's.
const OperatorRecord* RecordOf(const OperatorEntry& op);

// --- BoxedFns of operators (operator.cc). RunRule: by the rule, with the kernel for what it says;
// RunNumbers: by the operator that takes tensors. Of variants in place and with out=: RunVariant.
void RunRule(const BoxedCall& call);
void RunRuleOf(const OperatorRecord& record, const BoxedCall& call);
void RunNumbers(const BoxedCall& call);
void RunVariant(const BoxedCall& call);
// What an operator is with numbers for tensors. Errors: kUnavailable when that is gone.
const OperatorEntry& NumbersTarget(const OperatorRecord& record);

// Calls a kernel, whatever its kind, of op's.
void CallBoxedKernel(const KernelDef& k, const OperatorEntry& op, const BoxedCall& call);

// How often a plugin's kernel has declined, and why it did last; "" for others.
std::string DeclineNote(const KernelDef& kernel);

// BoxedFn of every plugin's kernels: calls of operators without a typed shape function, and with
// lists.
void RunKernel(const BoxedCall& call);
// And their ViewedFn: all others.
void RunViewedKernel(const KernelDef& kernel, KeyWord key, const SyTensor* const* outs,
                     const SyValue* args, uint64_t counts);

}  // namespace sy::plugin

#endif  // PLUGIN_KERNEL_H_
