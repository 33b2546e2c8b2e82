// An overload packet: all overloads that share a name, as a call by string finds them.
//
//   OverloadPacket* f = registry.FindPacket("add");        // add.Tensor, add.out, add.Scalar, …
//   for (OperatorEntry* e : registry.Overloads(*f)) …
//
// Made at the first look-up of its name and kept as long as its registry. "add" and "add_" are two
// packets, as in ATen.
// Owns: its name, its plans and what is known of its variants.
// Threads: plans are read by any; the rest is the registry's, under its lock.
// Errors: none here.
#ifndef SWITCHYARD_REGISTRY_OVERLOAD_PACKET_H_
#define SWITCHYARD_REGISTRY_OVERLOAD_PACKET_H_

#include <array>
#include <atomic>
#include <deque>
#include <string>
#include <vector>

#include "switchyard/core/value.h"
#include "switchyard/registry/entry.h"

namespace sy {

// How a call by string with arguments of certain types goes on: the overload, and values for the
// arguments left out.
struct CallPlan {
  uint64_t signature;  // of the types of the arguments given, which all fit as they are
  const OperatorEntry* op;
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
  static constexpr int kPlans = 4;

  OverloadPacket(std::string name, uint64_t hash) : name_(std::move(name)), hash_(hash) {}
  uint64_t hash() const { return hash_; }
  const std::string& name() const { return name_; }

  // Plans by signature, filled by calls; emptied when overloads come or go.
  std::array<std::atomic<const CallPlan*>, kPlans> plans = {};
  // Every plan there ever was: a call in flight may hold one that is no longer in `plans`. Under
  // the registry's lock.
  std::deque<CallPlan> all_plans;

 private:
  friend class Registry;
  std::string name_;
  uint64_t hash_;
  std::vector<RegisteredVariant>
      variants_;  // sorted by name, then source; the first of a name serves
  bool made_ = false;
};

}  // namespace sy

#endif  // SWITCHYARD_REGISTRY_OVERLOAD_PACKET_H_
