// Calls of operators: arguments of Python as boxed values, the overload they reach, results as
// objects.
//
// The runtime finds the overload (dispatcher/call.h). What it found is kept as a plan (plan.h), by
// the types of the arguments and the names of the keywords, so that a later call of that kind
// converts its arguments and calls.

#include "switchyard/dispatcher/call.h"

#include <algorithm>
#include <deque>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "python/core/overloads.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/core/error.h"

namespace sy::python {
namespace {

// Names live as long as the process.
std::unordered_map<std::string_view, Operation*>& Operations() {
  constexpr size_t kMany = 2048;  // more than there are methods
  static auto* all = new std::unordered_map<std::string_view, Operation*>(kMany);
  return *all;
}
std::deque<Operation>& AllOperations() {
  static auto* all = new std::deque<Operation>;
  return *all;
}

// The empty list, which is one of integers until no overload takes it, as one of tensors. Whether
// there is any.
bool EmptyAsTensors(Value* values, int n) {
  bool any = false;
  for (int i = 0; i < n; ++i) {
    if (values[i].tag != Tag::kIntList || values[i].len != 0) continue;
    values[i] = Value(TensorList());
    any = true;
  }
  return any;
}

// A list of numbers as one of any numbers, which some operators take: _foreach_add(x, [1, 2.5]).
// Whether it is one.
bool NumbersAsScalars(Value& v, PyObject* from, Scratch& s) {
  if (v.tag != Tag::kIntList && v.tag != Tag::kDoubleList && v.tag != Tag::kBoolList) return false;
  if (PyList_Check(from) == 0 && PyTuple_Check(from) == 0) return false;  // integers one by one
  const Ref list = Own(PySequence_Tuple(from));
  std::vector<Scalar>& made = s.rare().scalars.emplace_back();
  for (Py_ssize_t i = 0; i < PyTuple_Size(list.get()); ++i) {
    made.push_back(NumberOf(PyTuple_GetItem(list.get(), i)));
  }
  v = Value(std::span<const Scalar>(made));
  return true;
}

// Whether the arguments by position reach none of those that Python takes by name alone, as the
// runtime lets them: texts and dtypes find their place there, and the target of .out is its last.
bool StaysByPosition(const OperatorEntry& op, std::span<const Value> given) {
  const std::vector<Argument>& arguments = op.schema().arguments;
  size_t at = 0;
  bool tensors = true;  // so far
  for (size_t i = 0; i < given.size(); ++at) {
    if (at == arguments.size() || arguments[at].kwarg_only) return false;
    const Type& type = arguments[at].type;
    const bool ints = type.kind == TypeKind::kInt || type.kind == TypeKind::kSymInt;
    if (tensors && ints && type.list && type.list_size == 0 && given[i].tag == Tag::kInt) {
      while (i < given.size() && given[i].tag == Tag::kInt) ++i;  // a list one by one
    } else {
      ++i;
    }
    tensors = tensors && type.is_tensor();
  }
  return true;
}

// Whether each of the arguments given has a place of its own, and none without a default is left
// out.
bool IsComplete(const Plan& plan, size_t given) {
  const std::vector<Argument>& arguments = plan.op->schema().arguments;
  size_t placed = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (plan.steps[i].from >= 0) {
      ++placed;
    } else if (!arguments[i].has_default) {
      return false;
    }
  }
  return placed == given;
}

// The overload that a call reaches. Errors: kNoOverload.
const OperatorEntry& FindForPython(const Operation& op,
                                   const std::vector<OperatorEntry*>& overloads, const Given& given,
                                   const std::vector<Keyword>& keywords,
                                   const std::vector<int>& keyword_at) {
  const std::span<const Value> values(given.values, static_cast<size_t>(given.positional));
  const OperatorEntry& found = FindOverload(op.name, values, keywords);
  // Of `to`, Python takes all by position.
  if (StaysByPosition(found, values) || op.name == "to") [[likely]]
    return found;
  const OperatorEntry* best = nullptr;
  std::pair<int64_t, size_t> least;
  for (const OperatorEntry* e : overloads) {
    Plan plan;
    plan.op = e;
    if (!StaysByPosition(*e, values) || !LayOut(given, keywords, keyword_at, plan) ||
        !IsComplete(plan, values.size() + keywords.size())) {
      continue;
    }
    const auto converted = std::count_if(plan.steps.begin(), plan.steps.end(),
                                         [](Step s) { return s.how != How::kAsGiven; });
    const std::pair<int64_t, size_t> cost(converted, plan.steps.size());  // the fewest left out
    if (best == nullptr || cost < least) {
      best = e;
      least = cost;
    }
  }
  if (best != nullptr) return *best;
  Fail(ErrorCode::kNoOverload, op.name,
       {"takes fewer arguments by position than ", given.positional, "; those behind * in ",
        found.schema().str(), " are taken by name"});
}

// A call of a new kind: its overload is found, and remembered where a plan can say it.
PyObject* CallNew(Operation& op, const Given& given, uint64_t signature, Scratch& s,
                  const CallObjects& from, Py_ssize_t n) {
  const std::vector<OperatorEntry*> overloads = OverloadsOf(op);
  auto plan = std::make_unique<Plan>();
  std::vector<Keyword> keywords;
  std::vector<int> keyword_at;
  for (int i = given.positional; i < given.count; ++i) {
    std::string_view name = TextOf(PyTuple_GetItem(given.keywords, i - given.positional));
    if (!HasArgument(overloads, name)) {
      if (name == "requires_grad") {
        plan->requires_grad = i;
        continue;
      }
      name = NameInSchema(overloads, name);
    }
    keywords.push_back({name, given.values[i]});
    keyword_at.push_back(i);
  }
  const std::span<const Value> values(given.values, static_cast<size_t>(given.positional));
  try {
    plan->op = &FindForPython(op, overloads, given, keywords, keyword_at);
  } catch (const Error& e) {
    if (e.code() != ErrorCode::kNoOverload) throw;
    const OperatorEntry* found = nullptr;
    const auto find_again = [&](bool changed) {
      if (!changed || found != nullptr) return;
      try {
        found = &FindForPython(op, overloads, given, keywords, keyword_at);
      } catch (const Error& again) {
        if (again.code() != ErrorCode::kNoOverload) throw;
      }
    };
    bool changed = EmptyAsTensors(given.values, given.positional);
    for (Keyword& k : keywords) changed = EmptyAsTensors(&k.value, 1) || changed;
    find_again(changed);
    if (found == nullptr && from.self == nullptr && from.count == given.count) {
      changed = false;
      for (int i = 0; i < given.positional; ++i) {
        changed = NumbersAsScalars(given.values[i], from.args[i], s) || changed;
      }
      for (size_t k = 0; k < keywords.size(); ++k) {
        changed = NumbersAsScalars(keywords[k].value, from.args[keyword_at[k]], s) || changed;
      }
      find_again(changed);
    }
    if (found == nullptr) return CallOtherwise(op, from, n, given.keywords, e);
    try {
      Results results = CallByName(op.name, values, keywords);
      return Return(*found, results, from);
    } catch (const Error& refused) {  // of these alone, as in PyTorch
      const bool joins = op.name == "cat" || op.name == "concat" || op.name == "concatenate";
      if (!joins || refused.code() != ErrorCode::kInvalidArgument) throw;
      Throw(PyExc_ValueError, refused.message());
    }
  }
  plan->signature = signature;
  plan->positional = given.positional;
  plan->keywords = Ref::Of(given.keywords);
  if (plan->op->num_arguments <= kRoom && LayOut(given, keywords, keyword_at, *plan)) {
    const Plan& kept = *plan;
    if (signature == 0 || op.plans.size() >= kMaxPlans) return RunPlan(kept, given, s, from);
    op.plans.push_back(std::move(plan));
    return RunPlan(kept, given, s, from);
  }
  Results results;
  {
    const WithoutGil away(IsLong(given.values, given.count));
    results = CallByName(op.name, values, keywords);
    if (plan->requires_grad >= 0 && given.values[plan->requires_grad].scalar().To<bool>()) {
      requires_grad_(results.tensor());
    }
  }
  return Return(*plan->op, results, from);
}

inline void TakeOne(const Operation& op, PyObject* o, Py_ssize_t i, Given& given, Scratch& s) {
  if (Take(o, &given.values[given.count++], s)) [[likely]]
    return;
  FailArgument(op.name, "argument " + std::to_string(i + 1), o);
}

// Arguments of which the last are a list, one by one: zeros(2, 3), x.view(2, 8).
void TakePacked(const Operation& op, PyObject* const* args, Py_ssize_t n, Given& given,
                Scratch& s) {
  Py_ssize_t at = n, i = 0;
  while (at > 0 && PyLong_CheckExact(args[at - 1])) --at;
  for (; i < at && IsTensor(args[i]); ++i) given.values[given.count++] = Value(TensorOf(args[i]));
  // Of view(dtype, 1) and the like, the runtime says what is wrong.
  if (i < at) at = n;
  for (; i < at; ++i) TakeOne(op, args[i], i, given, s);
  if (i == n) return;
  int64_t* p = s.Ints(n - at);
  for (; i < n; ++i) {
    p[i - at] = PyLong_AsLongLong(args[i]);
    if (p[i - at] == -1 && PyErr_Occurred() != nullptr) ThrowPython();
  }
  given.values[given.count++] = Value(IntSpan(p, static_cast<size_t>(n - at)));
}

// More arguments than any operator has: a list one by one.
SY_COLD PyObject* CallOfMany(Operation& op, PyObject* self, PyObject* const* args, Py_ssize_t n) {
  if (n == 0 || !PyLong_CheckExact(args[n - 1])) {
    Throw(PyExc_TypeError, op.name + "(): takes fewer arguments than " + std::to_string(n));
  }
  const Ref list = Own(PyList_New(0));
  for (Py_ssize_t i = 0; i < n; ++i) {
    if (PyList_Append(list.get(), args[i]) < 0) ThrowPython();
  }
  PyObject* one[] = {list.get()};
  return CallOperation(op, self, one, 1, nullptr);
}

}  // namespace

void ForgetPlans() {
  for (Operation& op : AllOperations()) {
    op.plans.clear();
    op.looked_at = false;
  }
}

Operation* FindOperation(std::string_view name) {
  auto& all = Operations();
  if (const auto found = all.find(name); found != all.end()) return found->second;
  Operation& made = AllOperations().emplace_back(std::string(name));
  all[made.name] = &made;
  return &made;
}

namespace {

// The call as any operator takes it: arguments in boxes, and a plan of them.
PyObject* CallInBoxes(Operation& op, PyObject* self, PyObject* const* args, Py_ssize_t n,
                      PyObject* keyword_names) {
  return Guard([&]() -> PyObject* {
    Scratch s;
    alignas(Value) char storage[kRoom * sizeof(Value)];
    Given given{reinterpret_cast<Value*>(storage)};
    given.keywords = keyword_names;
    // Py_SIZE, which is no call, as PyTuple_Size is.
    const Py_ssize_t num_keywords = keyword_names == nullptr ? 0 : Py_SIZE(keyword_names);
    if (n + num_keywords >= kRoom - 1) [[unlikely]]
      return CallOfMany(op, self, args, n);
    if (self != nullptr) given.values[given.count++] = Value(TensorOf(self));
    if (!op.looked_at) [[unlikely]]
      LookAt(op);
    if (op.packs && n > 0 && PyLong_CheckExact(args[n - 1])) {
      TakePacked(op, args, n, given, s);
    } else {
      for (Py_ssize_t i = 0; i < n; ++i) TakeOne(op, args[i], i, given, s);
    }
    given.positional = given.count;
    for (Py_ssize_t k = 0; k < num_keywords; ++k) {
      if (Take(args[n + k], &given.values[given.count++], s)) [[likely]]
        continue;
      FailArgument(op.name,
                   "argument '" + std::string(TextOf(PyTuple_GetItem(keyword_names, k))) + "'",
                   args[n + k]);
    }
    const uint64_t signature = internal::SignatureOf(given.values, given.count);
    const CallObjects from{self, args, n + num_keywords};
    if (signature != 0) [[likely]] {
      if (const Plan* plan = FindPlan(op, signature, given)) [[likely]]
        return RunPlan(*plan, given, s, from);
    }
    return CallNew(op, given, signature, s, from, n);
  });
}

}  // namespace

PyObject* CallOperation(Operation& op, PyObject* self, PyObject* const* args, Py_ssize_t n,
                        PyObject* keyword_names) {
  if (op.typed != nullptr && keyword_names == nullptr && n == (self == nullptr ? 2 : 1)) {
    PyObject* const first = self == nullptr ? args[0] : self;
    PyObject* result = nullptr;
    if (Py_TYPE(first) == tensor_type && op.typed(first, args[n - 1], &result)) [[likely]]
      return result;
  }
  return CallInBoxes(op, self, args, n, keyword_names);
}

}  // namespace sy::python
