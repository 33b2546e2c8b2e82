// What is remembered of an operator's calls: the overload that arguments of these types and
// keywords of these names reach, and how its arguments are made of what was given.
//
// Owns: an Operation its plans; operations live as long as the process.
// Threads: with the GIL held.
// Errors: those of the operator.
#ifndef PYTHON_CORE_PLAN_H_
#define PYTHON_CORE_PLAN_H_

#include <memory>
#include <string>
#include <vector>

#include "python/core/arguments.h"
#include "python/core/results.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/registry/registry.h"

namespace sy::python {

// How an argument of a plan is made of what was given.
enum class How : uint8_t {
  kAsGiven,
  kRepeat,   // one integer for a list of a fixed size
  kTensor,   // a number for a tensor
  kDoubles,  // integers for a list of floats
  kDevice,   // a name for a device
  kNone,     // as an absent one: cannot be remembered
};

struct Step {
  int8_t from;  // which argument; -1: the default
  How how;
};

struct Plan {
  uint64_t signature;
  int positional;
  Ref keywords;  // a tuple of names, or none
  const OperatorEntry* op;
  std::vector<Step> steps;
  int requires_grad = -1;  // which argument says it of the result
  bool direct = false;     // every argument as it was given, in order
  bool may_return_argument = false;
};

// Of an operator; further kinds of calls are matched each time.
inline constexpr size_t kMaxPlans = 32;

// A call of two arguments by position, of which the first is a tensor, by the operator's own
// function and without boxes. False: they are none that it is for, and nothing was done; else a
// result, or null with an exception set.
using TypedCall = bool (*)(PyObject* a, PyObject* b, PyObject** result);

// An operator's name, with what calls of it have found out.
class Operation {
 public:
  explicit Operation(std::string n) : name(std::move(n)) {}
  const std::string name;
  bool looked_at = false;  // whether what follows is known
  bool packs = false;      // integers one by one are a list: zeros(2, 3)
  TypedCall typed = nullptr;
  std::vector<std::unique_ptr<Plan>> plans;
  std::string doc;
  PyMethodDef function = {};
};

// Of tuples of names, or none.
bool SameNames(PyObject* a, PyObject* b);

// Null: there is none yet.
inline const Plan* FindPlan(const Operation& op, uint64_t signature, const Given& given) {
  for (const auto& p : op.plans) {
    if (p->signature == signature && p->positional == given.positional &&
        (p->keywords.get() == given.keywords || SameNames(p->keywords.get(), given.keywords))) {
      return p.get();
    }
  }
  return nullptr;
}

// Lays out what was given for the overload; false where it takes more than a plan knows.
// keyword_at: where in `given` each keyword's value is.
bool LayOut(const Given& given, const std::vector<Keyword>& keywords,
            const std::vector<int>& keyword_at, Plan& plan);
// Elements from which a call lets other threads run: letting go and coming back costs as much as
// adding a few hundred numbers.
inline constexpr int64_t kLong = 4096;
// Whether other threads may run during a call with this argument, or these.
inline bool IsLong(const Tensor& t) { return t.numel() > kLong || !t.is_host(); }
bool IsLong(const Value* values, int n);
PyObject* RunPlan(const Plan& plan, const Given& given, Scratch& s, const CallObjects& from);

}  // namespace sy::python

#endif  // PYTHON_CORE_PLAN_H_
