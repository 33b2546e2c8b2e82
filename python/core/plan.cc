#include "python/core/plan.h"

#include <algorithm>

#include "switchyard/autograd/autograd.h"

namespace sy::python {
namespace {

How HowFor(const Type& type, const Value& v) {
  if ((type.Tags() & Bit(v.tag)) != 0) return How::kAsGiven;
  const bool number = v.tag >= Tag::kBool && v.tag <= Tag::kComplex;
  switch (type.kind) {
    case TypeKind::kTensor:
      return !type.list && number ? How::kTensor : How::kNone;
    case TypeKind::kInt:
    case TypeKind::kSymInt:
      return type.list && type.list_size > 0 && v.tag == Tag::kInt ? How::kRepeat : How::kNone;
    case TypeKind::kFloat:
      return type.list && v.tag == Tag::kIntList ? How::kDoubles : How::kNone;
    case TypeKind::kDevice:
      return v.tag == Tag::kString ? How::kDevice : How::kNone;
    default:
      return How::kNone;
  }
}

// Whether the runtime would read a text as this type's value: what a plan cannot know.
bool IsNameOf(const Type& type, const Value& v) {
  return v.tag == Tag::kString && type.kind != TypeKind::kDevice && type.kind != TypeKind::kString;
}

}  // namespace

bool SameNames(PyObject* a, PyObject* b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr || PyTuple_Size(a) != PyTuple_Size(b)) return false;
  for (Py_ssize_t i = 0; i < PyTuple_Size(a); ++i) {  // names in programs are interned
    if (PyTuple_GetItem(a, i) != PyTuple_GetItem(b, i)) return false;
  }
  return true;
}

// Lays out what was given for the overload; false where it takes more than a plan knows.
bool LayOut(const Given& given, const std::vector<Keyword>& keywords,
            const std::vector<int>& keyword_at, Plan& plan) {
  const std::vector<Argument>& arguments = plan.op->schema().arguments;
  plan.steps.assign(arguments.size(), Step{-1, How::kAsGiven});
  size_t at = 0;
  for (int i = 0; i < given.positional; ++i, ++at) {
    for (;; ++at) {
      if (at == arguments.size()) return false;
      const Argument& a = arguments[at];
      if (IsNameOf(a.type, given.values[i])) {
        if (FindDType(given.values[i].text()) || FindLayout(given.values[i].text()) ||
            FindMemoryFormat(given.values[i].text())) {
          return false;
        }
      }
      const How how = HowFor(a.type, given.values[i]);
      if (how != How::kNone) {
        plan.steps[at] = {static_cast<int8_t>(i), how};
        break;
      }
      if (!a.kwarg_only || !a.has_default) return false;
    }
  }
  for (size_t k = 0; k < keywords.size(); ++k) {
    const int position = plan.op->schema().Find(keywords[k].name);
    if (position < 0) return false;
    const How how = HowFor(arguments[static_cast<size_t>(position)].type, keywords[k].value);
    if (how == How::kNone) return false;
    plan.steps[static_cast<size_t>(position)] = {static_cast<int8_t>(keyword_at[k]), how};
  }
  plan.direct = plan.requires_grad < 0;
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    const int expected = static_cast<int>(i) < given.count ? static_cast<int>(i) : -1;
    plan.direct =
        plan.direct && plan.steps[i].from == expected && plan.steps[i].how == How::kAsGiven;
  }
  const std::vector<Argument>& returns = plan.op->schema().returns;
  plan.may_return_argument = std::any_of(
      returns.begin(), returns.end(), [](const Argument& a) { return !a.type.alias.text.empty(); });
  return true;
}
bool IsLong(const Value* values, int n) {
  for (int i = 0; i < n; ++i) {
    if (values[i].tag == Tag::kTensor) {
      if (IsLong(values[i].tensor())) return true;
    } else if (values[i].tag == Tag::kTensorList) {
      for (const Tensor& t : values[i].list<Tensor>()) {
        if (t.numel() > kLong || (t.defined() && !t.is_host())) return true;
      }
    } else if (values[i].tag == Tag::kIntList) {
      int64_t product = 1;  // of sizes, if they are some
      for (const int64_t k : values[i].list<int64_t>()) {
        if (k > kLong || (product *= std::max<int64_t>(k, 1)) > kLong) return true;
      }
    }
  }
  return false;
}

namespace {

// Calls the operator, and says of its result that it requires a gradient where that is asked for.
void Run(const Plan& plan, const Given& given, const Value* args, Results& results) {
  const OperatorEntry& op = *plan.op;
  const size_t n = plan.steps.size();
  const bool wants_grad =
      plan.requires_grad >= 0 && given.values[plan.requires_grad].scalar().To<bool>();
  const WithoutGil away(IsLong(args, static_cast<int>(n)));
  CallBoxed(op, {args, n}, results.Reset(op.num_results));
  if (wants_grad) requires_grad_(results.tensor());
}

// The arguments of a plan of which some are made of others.
void Arrange(const Plan& plan, const Given& given, Scratch& s, Value* args) {
  const Value* defaults = plan.op->defaults().data();
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    const Step step = plan.steps[i];
    if (step.from < 0) {
      args[i] = defaults[i];
      continue;
    }
    const Value& v = given.values[step.from];
    switch (step.how) {
      case How::kRepeat: {
        const int size = plan.op->schema().arguments[i].type.list_size;
        int64_t* p = s.Ints(size);
        std::fill(p, p + size, v.i);
        args[i] = Value(IntSpan(p, static_cast<size_t>(size)));
        break;
      }
      case How::kTensor:
        args[i] = Value(s.rare().numbers.emplace_back(NumberTensor(v.scalar())));
        break;
      case How::kDoubles: {
        double* p = s.Doubles(v.len);
        std::copy_n(v.list<int64_t>().begin(), v.len, p);
        args[i] = Value(std::span<const double>(p, v.len));
        break;
      }
      case How::kDevice:
        args[i] = Value(DeviceOfName(v.text()));
        break;
      default:
        args[i] = v;
    }
  }
}

}  // namespace

PyObject* RunPlan(const Plan& plan, const Given& given, Scratch& s, const CallObjects& from) {
  const OperatorEntry& op = *plan.op;  // which stays, unlike the plan
  const CallObjects among = plan.may_return_argument ? from : CallObjects{nullptr, nullptr, 0};
  Results results;
  if (plan.direct) {
    const Value* defaults = op.defaults().data();
    for (size_t i = static_cast<size_t>(given.count); i < plan.steps.size(); ++i) {
      given.values[i] = defaults[i];
    }
    Run(plan, given, given.values, results);
  } else {
    alignas(Value) char storage[kRoom * sizeof(Value)];
    auto* args = reinterpret_cast<Value*>(storage);
    Arrange(plan, given, s, args);
    Run(plan, given, args, results);
  }
  if (results.size() == 1 && among.args == nullptr && results[0].value().tag == Tag::kTensor)
      [[likely]] {
    return Wrap(results[0].TakeTensor());
  }
  return Return(op, results, results.size() == 0 ? from : among);
}

}  // namespace sy::python
