// OperatorEntry: one overload, and what a call goes through.
//
//   const OperatorEntry* e = Registry::Global().Find("add.Tensor");
//   e->schema().str();  e->Has(OperatorTag::kPointwise);  CallBoxed(*e, args, results);
//
// Made once per name and schema and kept as long as its registry: whoever holds a pointer may go on
// calling; after deregistration the calls fail with kNotFound. ATen's c10::OperatorHandle and what
// it points to.
// Owns: its schema, defaults and, where no other operator's serve it, its table of kernels.
// Threads: any; what changes is atomic or set before the entry is shown to calls.
// Errors: none here.
#ifndef SWITCHYARD_REGISTRY_ENTRY_H_
#define SWITCHYARD_REGISTRY_ENTRY_H_

#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "switchyard/registry/kernel_table.h"
#include "switchyard/registry/operator_def.h"
#include "switchyard/registry/schema.h"
#include "switchyard/registry/tags.h"

// An operator as plugins hold it (c/plugin.h: SyOperator).
struct SyOperator_ {};

namespace sy {

class Registry;

inline constexpr int kMaxArguments = 255;  // of a schema
inline constexpr int kMaxResults = 8;

// All but the public members below is fixed when it is made.
class OperatorEntry : public SyOperator_ {
 public:
  // --- Read by every call.
  std::atomic<Fn> variant{
      nullptr};  // of an operator with a shape function: the typed function of this variant
  std::atomic<uint32_t> layer_mask{~0u};  // layers that may intercept it
  // Which variant of the operator this overload is; kDirect has neither variant nor thunk.
  Variant kind = Variant::kDirect;
  KeyRule key_rule = KeyRule::kPromote;
  uint8_t num_arguments = 0, num_results = 0;
  bool returns_written = false;    // the results are the arguments marked (a!), in order
  OperatorTags tags;               // stated by the registration, or following from it
  KernelTable* kernels = nullptr;  // shared by all variants of an operator
  std::atomic<Fn> shape_function{nullptr};
  std::atomic<VariantThunk> thunk{nullptr};
  const TagMask* argument_tags = nullptr;  // by argument: boxed values that fit as they are

  // The registry's. Errors: kRegistration for a default that is no value of its type.
  OperatorEntry(Registry& registry, Schema schema);
  OperatorEntry(const OperatorEntry&) = delete;

  std::string_view name() const { return full_name_; }  // "add.Tensor"
  bool Has(OperatorTag tag) const { return tags.Has(tag); }
  const Schema& schema() const { return schema_; }
  // Values of arguments left out, one per argument; those without a default are None.
  std::span<const Value> defaults() const { return defaults_; }
  Registry& registry() const { return registry_; }
  // The registration behind it now; null after deregistration.
  const OperatorDef* def() const { return def_.load(std::memory_order_acquire); }

 private:
  friend class Registry;
  Registry& registry_;
  Schema schema_;
  std::string full_name_, direct_code_;
  std::vector<TagMask> tag_storage_;
  std::deque<DefaultValue> default_storage_;
  std::vector<Value> defaults_;
  std::atomic<const OperatorDef*> def_{nullptr};
  std::unique_ptr<KernelTable> own_kernels_;
};

namespace internal {
// A call of what is no longer registered: kNotFound.
[[noreturn]] SY_API SY_COLD void FailGone(const OperatorEntry& op);
}  // namespace internal

}  // namespace sy

#endif  // SWITCHYARD_REGISTRY_ENTRY_H_
