// OperatorEntry: one overload, and what a call goes through.
//
// Made once per name and schema and kept as long as its registry: whoever holds a pointer may go on
// calling; after deregistration the calls fail with kNotFound.
// Threads: any.
#ifndef SWITCHYARD_REGISTRY_ENTRY_H_
#define SWITCHYARD_REGISTRY_ENTRY_H_

#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "switchyard/registry/kernel_table.h"
#include "switchyard/registry/rule.h"
#include "switchyard/registry/schema.h"

namespace sy {

struct OperatorDef;
class Registry;

// From which tensors the key of an operator without a rule takes its dtype. The device is always
// that of all tensors.
enum class KeyRule : uint8_t { kPromote, kFirst };

inline constexpr int kMaxArguments = 255;
inline constexpr int kMaxResults = 8;

// Boxed view of a form. results: as many as the schema returns.
using FormThunk = void (*)(const OperatorEntry& op, const Value* args, Result* results);

class OperatorEntry {
 public:
  // --- Read by every call.
  std::atomic<Fn> form{nullptr};  // of an operator with a rule: the typed function of this form
  std::atomic<uint32_t> layer_mask{~0u};  // layers that may intercept it
  FormKind kind = FormKind::kDirect;
  KeyRule key_rule = KeyRule::kPromote;
  uint8_t num_arguments = 0, num_results = 0;
  bool returns_written = false;    // the results are the arguments marked (a!), in order
  KernelTable* kernels = nullptr;  // shared by all forms of an operator
  std::atomic<Fn> rule{nullptr};
  std::atomic<FormThunk> thunk{nullptr};
  const TagMask* tags = nullptr;  // by argument: boxed values that fit as they are

  OperatorEntry(Registry& registry, Schema schema);
  OperatorEntry(const OperatorEntry&) = delete;

  std::string_view name() const { return full_name_; }  // "add.Tensor"
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

}  // namespace sy

#endif  // SWITCHYARD_REGISTRY_ENTRY_H_
