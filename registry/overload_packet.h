// An overload packet: all overloads that share a name, as a call by string finds them.
//
//   OverloadPacket* f = registry.FindPacket("add");        // add.Tensor, add.out, add.Scalar, …
//   for (OperatorEntry* e : registry.Overloads(*f)) …
//
// Made at the first look-up of its name and kept as long as its registry. "add" and "add_" are two
// packets, as in ATen. "add.Tensor" has a packet of that overload alone, and "aten::add" one of
// add's, so that calls by these names find their plans as others do.
// Owns: its name, its plans and what is known of its variants.
// Threads: plans are read by any; the rest is the registry's, under its lock.
// Errors: none here.
#ifndef SWITCHYARD_REGISTRY_OVERLOAD_PACKET_H_
#define SWITCHYARD_REGISTRY_OVERLOAD_PACKET_H_

#include <array>
#include <atomic>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "switchyard/core/value.h"
#include "switchyard/registry/entry.h"

namespace sy {

// How a value of a call by string becomes one of the schema's type.
enum class Conversion : uint8_t {
  kNone,     // it does not
  kAsGiven,  // it is one
  kRow,      // integers in a row, of which it is the first, are the list
  kTensor,   // a number: a 0-dim tensor
  kRepeat,   // an integer: a list of a fixed size
  kDoubles,  // integers: floats
  kNoBools,  // the empty list of integers: of bools, and of numbers
  kNoScalars,
  kDType,  // a text, here and below: only some are names
  kDevice,
  kLayout,
  kMemoryFormat,
};

// Where one value of a call, or some in a row, goes.
struct PlannedArgument {
  std::string_view keyword;  // the schema's own text; empty: given by position
  uint8_t to = 0;            // the argument's place in the schema
  uint8_t count = 1;         // kRow: the values that it takes; kRepeat: the list's size
  Conversion how = Conversion::kAsGiven;
  friend bool operator==(const PlannedArgument&, const PlannedArgument&) = default;
};

// How a call by string with arguments of certain types goes on.
struct CallPlan {
  uint64_t signature = 0;  // of the types of the arguments given (dispatcher/call.h)
  const OperatorEntry* op = nullptr;
  // In the order of the call. Empty: the arguments are the schema's first ones, all as given.
  std::vector<PlannedArgument> arguments = {};
  friend bool operator==(const CallPlan&, const CallPlan&) = default;
};

// One variant of a registered operator under the packet's name. Everything that calls of it will
// read is found, or made, before any of it is shown to them (Registry::Prepare, Registry::Serve).
struct RegisteredVariant {
  std::string name;  // with overload; empty where the schema cannot be read
  const OperatorDef* def;
  Variant kind;
  std::string problem = {};        // why calls cannot be served; empty: they can
  OperatorEntry* entry = nullptr;  // null where there is a problem
  // Of an operator with a shape function.
  VariantFunctions functions = {};
  KernelTable* kernels = nullptr;
  const OperatorDef* kernels_def = nullptr;  // whose kernels these are; null: no longer registered
  // Of an in-place or out= variant without one: the operator whose results it copies.
  const OperatorEntry* derived_from = nullptr;
};

// Programs hold a pointer and ask the registry.
class OverloadPacket {
 public:
  // Calls of more kinds of arguments than that push one another out, and cost a match each time.
  static constexpr int kPlans = 8;
  // So many kinds are remembered in all; more than that cost a match each time.
  static constexpr int kPlansEver = 256;

  OverloadPacket(std::string name, uint64_t hash) : name_(std::move(name)), hash_(hash) {}
  uint64_t hash() const { return hash_; }
  const std::string& name() const { return name_; }

  // Plans by signature, filled by calls; emptied when overloads come or go.
  std::array<std::atomic<const CallPlan*>, kPlans> plans = {};
  // Every plan there ever was: a call in flight may hold one that is no longer in `plans`. Under
  // the registry's lock.
  std::deque<CallPlan> all_plans;

  // Of another name for overloads of that packet: "add" of "add.Tensor". Null: they are its own.
  OverloadPacket* of() const { return of_; }

 private:
  friend class Registry;
  std::string name_;
  uint64_t hash_;
  OverloadPacket* of_ = nullptr;
  std::vector<RegisteredVariant>
      variants_;  // sorted by name, then source; the first of a name serves
  bool made_ = false;
};

}  // namespace sy

#endif  // SWITCHYARD_REGISTRY_OVERLOAD_PACKET_H_
