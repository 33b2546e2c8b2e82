// A family: all overloads that share a name, as a call by string finds them.
//
// Made at the first look-up of its name and kept as long as its registry.
// Threads: plans are read by any; the rest is the registry's, under its lock.
#ifndef SWITCHYARD_REGISTRY_FAMILY_H_
#define SWITCHYARD_REGISTRY_FAMILY_H_

#include <array>
#include <atomic>
#include <deque>
#include <string>
#include <vector>

#include "switchyard/core/value.h"
#include "switchyard/registry/entry.h"
#include "switchyard/registry/forms.h"

namespace sy {

// How a call by string with arguments of certain types goes on: the overload, and values for the
// arguments left out.
struct CallPlan {
  uint64_t signature;  // of the types of the arguments given, which all fit as they are
  const OperatorEntry* op;
};

// One form of a registered operator under the family's name. Everything that calls of it will read
// is found, or made, before any of it is shown to them (Registry::Prepare, Registry::Serve).
struct RegisteredForm {
  std::string name;  // with overload; empty where the schema cannot be read
  const OperatorDef* def;
  FormKind kind;
  std::string problem = {};        // why calls cannot be served; empty: they can
  OperatorEntry* entry = nullptr;  // null where there is a problem
  // Of an operator with a rule.
  FormFunctions functions = {};
  KernelTable* kernels = nullptr;
  const OperatorDef* kernels_def = nullptr;  // whose kernels these are; null: no longer registered
  // Of an in-place or out= form without one: the operator whose results it copies.
  const OperatorEntry* derived_from = nullptr;
};

class Family {
 public:
  static constexpr int kPlans = 4;

  Family(std::string name, uint64_t hash) : name_(std::move(name)), hash_(hash) {}
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
  std::vector<RegisteredForm> forms_;  // sorted by name, then source; the first of a name serves
  bool made_ = false;
};

}  // namespace sy

#endif  // SWITCHYARD_REGISTRY_FAMILY_H_
