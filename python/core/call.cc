// Calls of operators: arguments of Python as boxed values, the overload they reach, results as
// objects.
//
// The runtime finds the overload (dispatcher/call.h). What it found is kept as a plan, by the types
// of the arguments and the names of the keywords, so that a later call of that kind converts its
// arguments and calls.

#include "switchyard/dispatcher/call.h"

#include <algorithm>
#include <array>
#include <complex>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "python/core/python.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/core/error.h"
#include "switchyard/registry/registry.h"

namespace sy::python {
namespace {

// Elements from which a call lets other threads run: letting go and coming back costs as much as
// adding a few hundred numbers.
constexpr int64_t kLong = 4096;
constexpr int kRoom = 48;  // arguments of one call

// How an argument of a plan is made of what was given.
enum class How : uint8_t {
  kAsGiven,
  kRepeat,   // one integer for a list of a fixed size
  kTensor,   // a number for a tensor
  kDoubles,  // integers for a list of floats
  kDevice,   // a name for a device
  kBools,    // an empty list
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

}  // namespace

class Operation {
 public:
  explicit Operation(std::string n) : name(std::move(n)) {}
  const std::string name;
  bool looked_at = false;  // whether what follows is known
  bool packs = false;      // integers one by one are a list: zeros(2, 3)
  std::vector<std::unique_ptr<Plan>> plans;
  std::string doc;
  PyMethodDef function = {};
};

namespace {

constexpr size_t kMaxPlans = 32;  // of an operator; further kinds of calls are matched each time

// Names live as long as the process.
std::unordered_map<std::string_view, Operation*>& Operations() {
  static auto* all = new std::unordered_map<std::string_view, Operation*>;
  return *all;
}
std::deque<Operation>& AllOperations() {
  static auto* all = new std::deque<Operation>;
  return *all;
}

// --- Arguments.

// What values point to. Nothing is made before it is needed.
struct Scratch {
  int64_t ints[64];
  double doubles[32];
  bool bools[32];
  std::complex<double>* complex_numbers() {
    return reinterpret_cast<std::complex<double>*>(complex_storage);
  }
  alignas(std::complex<double>) char complex_storage[4 * sizeof(std::complex<double>)];
  int num_ints = 0, num_doubles = 0, num_bools = 0, num_complex = 0;

  // What few calls need.
  struct Rare {
    std::vector<std::unique_ptr<int64_t[]>> more_ints;
    std::vector<std::unique_ptr<double[]>> more_doubles;
    std::deque<std::vector<Tensor>> tensors;
    std::deque<std::vector<Scalar>> scalars;
    std::deque<Tensor> numbers;
    std::vector<Ref> objects;
  };
  Rare& rare() {
    if (rare_ == nullptr) rare_ = std::make_unique<Rare>();
    return *rare_;
  }

  template <class T, int kN>
  T* Room(T (&in)[kN], int& used, std::vector<std::unique_ptr<T[]>> Rare::*more, Py_ssize_t n) {
    if (used + n <= kN) {
      used += static_cast<int>(n);
      return in + used - n;
    }
    return (rare().*more).emplace_back(std::make_unique<T[]>(static_cast<size_t>(n))).get();
  }
  int64_t* Ints(Py_ssize_t n) { return Room(ints, num_ints, &Rare::more_ints, n); }
  double* Doubles(Py_ssize_t n) { return Room(doubles, num_doubles, &Rare::more_doubles, n); }

 private:
  std::unique_ptr<Rare> rare_;
};

[[noreturn]] void FailArgument(const std::string& op, const std::string& which, PyObject* o) {
  const Ref type_name = Own(PyType_GetName(Py_TYPE(o)));
  Throw(PyExc_TypeError, op + "(): " + which + " is of type " +
                             std::string(TextOf(type_name.get())) + ", which no operator takes");
}

// A number of another library: what has item() and no dimensions. Null: it is none.
Ref OtherNumber(PyObject* o) {
  Ref ndim(PyObject_GetAttrString(o, "ndim"));
  if (!ndim || !PyLong_Check(ndim.get()) || PyLong_AsLong(ndim.get()) != 0) {
    PyErr_Clear();
    return {};
  }
  return Own(PyObject_CallMethod(o, "item", nullptr));
}

bool TakeList(PyObject* o, Value* v, Scratch& s) {
  const Ref fast =
      Own(PyList_Check(o) || PyTuple_Check(o) ? (Py_INCREF(o), o) : PySequence_List(o));
  const bool tuple = PyTuple_Check(fast.get());
  const Py_ssize_t n = tuple ? PyTuple_Size(fast.get()) : PyList_Size(fast.get());
  const auto at = [&](Py_ssize_t i) {
    return tuple ? PyTuple_GetItem(fast.get(), i) : PyList_GetItem(fast.get(), i);
  };
  bool tensors = n > 0, floats = false, bools = n > 0, complex_numbers = false;
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject* x = at(i);
    tensors = tensors && (x == Py_None || IsTensor(x));
    bools = bools && PyBool_Check(x);
    floats = floats || PyFloat_Check(x);
    complex_numbers = complex_numbers || PyComplex_Check(x);
  }
  if (tensors) {
    std::vector<Tensor>& list = s.rare().tensors.emplace_back(static_cast<size_t>(n));
    for (Py_ssize_t i = 0; i < n; ++i) {
      if (at(i) != Py_None) list[static_cast<size_t>(i)] = TensorOf(at(i));
    }
    *v = Value(TensorList(list));
  } else if (bools && n <= 32 - s.num_bools) {
    bool* p = s.bools + s.num_bools;
    s.num_bools += static_cast<int>(n);
    for (Py_ssize_t i = 0; i < n; ++i) p[i] = at(i) == Py_True;
    *v = Value(std::span<const bool>(p, static_cast<size_t>(n)));
  } else if (complex_numbers) {
    std::vector<Scalar>& list = s.rare().scalars.emplace_back();
    for (Py_ssize_t i = 0; i < n; ++i) list.push_back(NumberOf(at(i)));
    *v = Value(std::span<const Scalar>(list));
  } else if (floats) {
    double* p = s.Doubles(n);
    for (Py_ssize_t i = 0; i < n; ++i) p[i] = NumberOf(at(i)).To<double>();
    *v = Value(std::span<const double>(p, static_cast<size_t>(n)));
  } else {
    int64_t* p = s.Ints(n);
    for (Py_ssize_t i = 0; i < n; ++i) {
      if (PyLong_CheckExact(at(i))) {
        p[i] = PyLong_AsLongLong(at(i));
        if (p[i] == -1 && PyErr_Occurred() != nullptr) ThrowPython();
      } else if (PyIndex_Check(at(i)) != 0) {
        p[i] = IntOf(at(i));
      } else {
        return false;
      }
    }
    *v = Value(IntSpan(p, static_cast<size_t>(n)));
  }
  return true;
}

// False: no operator takes such a thing.
bool Take(PyObject* o, Value* v, Scratch& s) {
  PyTypeObject* type = Py_TYPE(o);
  if (type == tensor_type) {
    *v = Value(TensorOf(o));
  } else if (type == &PyFloat_Type) {
    *v = Value(PyFloat_AsDouble(o));
  } else if (PyBool_Check(o)) {
    *v = Value(o == Py_True);
  } else if (PyLong_Check(o)) {
    int overflow = 0;
    const long long n = PyLong_AsLongLongAndOverflow(o, &overflow);  // NOLINT(google-runtime-int)
    *v = overflow == 0 ? Value(int64_t{n}) : Value(NumberOf(o));
  } else if (PyFloat_Check(o)) {
    *v = Value(PyFloat_AsDouble(o));
  } else if (o == Py_None) {
    *v = Value();
  } else if (type == word_types[0] || type == word_types[1] || type == word_types[2]) {
    *v = reinterpret_cast<PyWord*>(o)->value;
  } else if (PyUnicode_Check(o)) {
    *v = Value(TextOf(o));
  } else if (PyList_Check(o) || PyTuple_Check(o)) {
    return TakeList(o, v, s);
  } else if (type == device_type) {
    *v = Value(reinterpret_cast<PyDevice*>(o)->device);
  } else if (type == generator_type) {
    *v = Value(reinterpret_cast<PyGenerator*>(o)->generator.get());
  } else if (IsTensor(o)) {
    *v = Value(TensorOf(o));
  } else if (PyComplex_Check(o)) {
    if (s.num_complex == 4) return false;
    std::complex<double>* c = s.complex_numbers() + s.num_complex++;
    *c = {PyComplex_RealAsDouble(o), PyComplex_ImagAsDouble(o)};
    *v = Value(*c);
  } else if (PyType_Check(o)) {
    if (o != reinterpret_cast<PyObject*>(&PyFloat_Type) &&
        o != reinterpret_cast<PyObject*>(&PyLong_Type) &&
        o != reinterpret_cast<PyObject*>(&PyBool_Type) &&
        o != reinterpret_cast<PyObject*>(&PyComplex_Type)) {
      return false;
    }
    *v = Value(DTypeOfObject(o));
  } else if (Ref number = OtherNumber(o)) {
    s.rare().objects.push_back(std::move(number));
    return Take(s.rare().objects.back().get(), v, s);
  } else if (PyIndex_Check(o) != 0) {
    *v = Value(IntOf(o));
  } else if (type == &PyRange_Type) {
    return TakeList(o, v, s);
  } else {
    return false;
  }
  return true;
}

// --- Plans.

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

// Names of one argument, ours and Python's of it.
struct Alias {
  std::string_view python, schema;
};
constexpr Alias kAliases[] = {{"input", "self"}, {"x", "self"},       {"axis", "dim"},
                              {"a", "self"},     {"x1", "self"},      {"x2", "other"},
                              {"size", "sizes"}, {"tensors", "self"}, {"keepdims", "keepdim"}};

bool HasArgument(const std::vector<OperatorEntry*>& overloads, std::string_view name) {
  return std::any_of(overloads.begin(), overloads.end(),
                     [&](const OperatorEntry* e) { return e->schema().Find(name) >= 0; });
}

std::vector<OperatorEntry*> OverloadsOf(const Operation& op) {
  Registry& registry = Registry::Global();
  OverloadPacket* packet = registry.FindPacket(op.name);
  return packet == nullptr ? std::vector<OperatorEntry*>() : registry.Overloads(*packet);
}

// Whether sizes may be given one by one: where the argument behind leading tensors is a list of
// integers of any length, the last by position, and no overload has a number there.
void LookAt(Operation& op) {
  bool list = false, other = false;
  for (const OperatorEntry* e : OverloadsOf(op)) {
    const std::vector<Argument>& arguments = e->schema().arguments;
    size_t at = 0;
    while (at < arguments.size() && arguments[at].type.kind == TypeKind::kTensor) ++at;
    if (at == arguments.size() || arguments[at].kwarg_only) continue;
    const Type& type = arguments[at].type;
    if (type.kind != TypeKind::kInt && type.kind != TypeKind::kSymInt) {
      other = other || type.kind == TypeKind::kScalar || type.kind == TypeKind::kFloat;
      continue;
    }
    const bool last =
        at + 1 == arguments.size() || arguments[at + 1].kwarg_only || arguments[at + 1].has_default;
    (type.list && type.list_size == 0 && last ? list : other) = true;
  }
  op.packs = list && !other;
  op.looked_at = true;
}

struct Given {
  Value* values;  // by position, then by name
  int positional = 0;
  int count = 0;
  PyObject* keywords = nullptr;
};

bool SameNames(PyObject* a, PyObject* b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr || PyTuple_Size(a) != PyTuple_Size(b)) return false;
  for (Py_ssize_t i = 0; i < PyTuple_Size(a); ++i) {  // names in programs are interned
    if (PyTuple_GetItem(a, i) != PyTuple_GetItem(b, i)) return false;
  }
  return true;
}

const Plan* FindPlan(const Operation& op, uint64_t signature, const Given& given) {
  for (const auto& p : op.plans) {
    if (p->signature == signature && p->positional == given.positional &&
        SameNames(p->keywords.get(), given.keywords)) {
      return p.get();
    }
  }
  return nullptr;
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
  plan.direct = keywords.empty() && plan.requires_grad < 0;
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    const int expected = static_cast<int>(i) < given.positional ? static_cast<int>(i) : -1;
    plan.direct =
        plan.direct && plan.steps[i].from == expected && plan.steps[i].how == How::kAsGiven;
  }
  const std::vector<Argument>& returns = plan.op->schema().returns;
  plan.may_return_argument = std::any_of(
      returns.begin(), returns.end(), [](const Argument& a) { return !a.type.alias.text.empty(); });
  return true;
}

// --- Results.

PyObject* ReturnTypeRepr(PyObject* o, PyObject*) {
  return Guard([&] {
    const Ref type_name =
        Own(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(o)), "_name"));
    const Ref fields =
        Own(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(o)), "_fields"));
    std::string s = "torch.return_types." + std::string(TextOf(type_name.get())) + "(\n";
    const Py_ssize_t n = PyTuple_Size(o);
    for (Py_ssize_t i = 0; i < n; ++i) {
      const Ref item = Own(PyObject_Repr(PyTuple_GetItem(o, i)));
      s += std::string(TextOf(PyTuple_GetItem(fields.get(), i))) + "=" +
           std::string(TextOf(item.get())) + (i + 1 < n ? ",\n" : ")");
    }
    return Text(s);
  });
}

PyMethodDef return_type_repr = {"__repr__", ReturnTypeRepr, METH_NOARGS, nullptr};
PyMethodDef return_type_str = {"__str__", ReturnTypeRepr, METH_NOARGS, nullptr};

// torch.return_types.max: a tuple with names; null where the results have none.
PyTypeObject* ReturnType(const OperatorEntry& op) {
  static auto* types = new std::unordered_map<const OperatorEntry*, PyTypeObject*>;
  if (const auto found = types->find(&op); found != types->end()) return found->second;
  const Schema& schema = op.schema();
  PyTypeObject* type = nullptr;
  const bool named = std::all_of(schema.returns.begin(), schema.returns.end(),
                                 [](const Argument& a) { return !a.name.empty(); });
  if (named && schema.name.find("::") == schema.name.npos) {
    auto* names = new std::vector<std::string>;  // of the type, which stays
    const bool out = op.returns_written && schema.arguments.back().kwarg_only;
    names->push_back("torch.return_types." + schema.name + (out ? "_out" : ""));
    for (const Argument& a : schema.returns) names->push_back(a.name);
    std::vector<PyStructSequence_Field> fields;
    Ref field_names = Own(PyTuple_New(static_cast<Py_ssize_t>(schema.returns.size())));
    for (size_t i = 1; i < names->size(); ++i) {
      fields.push_back({(*names)[i].c_str(), nullptr});
      PyTuple_SetItem(field_names.get(), static_cast<Py_ssize_t>(i - 1), Text((*names)[i]));
    }
    fields.push_back({nullptr, nullptr});
    PyStructSequence_Desc description = {names->front().c_str(), nullptr, fields.data(),
                                         static_cast<int>(schema.returns.size())};
    type = PyStructSequence_NewType(&description);
    if (type == nullptr) ThrowPython();
    auto* object = reinterpret_cast<PyObject*>(type);
    const Ref repr = Own(PyDescr_NewMethod(type, &return_type_repr));
    const Ref str = Own(PyDescr_NewMethod(type, &return_type_str));
    const Ref name = Own(Text(schema.name + (out ? "_out" : "")));
    if (PyObject_SetAttrString(object, "__repr__", repr.get()) < 0 ||
        PyObject_SetAttrString(object, "__str__", str.get()) < 0 ||
        PyObject_SetAttrString(object, "_name", name.get()) < 0 ||
        PyObject_SetAttrString(object, "_fields", field_names.get()) < 0) {
      ThrowPython();
    }
  }
  (*types)[&op] = type;
  return type;
}

// The objects of a call, among which results may be.
struct Objects {
  PyObject* self;
  PyObject* const* args;
  Py_ssize_t count;
};

PyObject* Object(Result& r, const Objects& from) {
  const Value& v = r.value();
  if (v.tag == Tag::kTensor) {
    const auto same = [&](PyObject* o) {
      return o != nullptr && IsTensor(o) && TensorOf(o).impl() == v.t;
    };
    PyObject* found = same(from.self) ? from.self : nullptr;
    for (Py_ssize_t i = 0; i < from.count && found == nullptr; ++i) {
      if (same(from.args[i])) found = from.args[i];
    }
    if (found == nullptr) return Wrap(r.TakeTensor());
    Py_INCREF(found);
    return found;
  }
  if (v.tag == Tag::kTensorList) return TensorTuple(r.TakeTensors());
  return ObjectOf(v);
}

PyObject* Return(const OperatorEntry& op, Results& results, const Objects& from) {
  const int n = results.size();
  if (n == 1) return Object(results[0], from);
  if (n == 0) Py_RETURN_NONE;
  PyTypeObject* type = ReturnType(op);
  if (type != nullptr) {
    Ref out = Own(PyStructSequence_New(type));
    for (int i = 0; i < n; ++i) {
      PyStructSequence_SetItem(out.get(), i, Object(results[i], from));
    }
    return out.release();
  }
  Ref out = Own(PyTuple_New(n));
  for (int i = 0; i < n; ++i) PyTuple_SetItem(out.get(), i, Object(results[i], from));
  return out.release();
}

// Whether other threads may run meanwhile.
bool IsLong(const Value* values, int n) {
  for (int i = 0; i < n; ++i) {
    if (values[i].tag == Tag::kTensor) {
      if (values[i].t->numel > kLong || RowOfKey(values[i].t->key) != kHostRow) return true;
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
        args[i] = Value(ParseDevice(v.text()));
        break;
      default:
        args[i] = v;
    }
  }
}

PyObject* RunPlan(const Plan& plan, const Given& given, Scratch& s, const Objects& from) {
  const OperatorEntry& op = *plan.op;  // which stays, unlike the plan
  const Objects among = plan.may_return_argument ? from : Objects{nullptr, nullptr, 0};
  Results results;
  if (plan.direct) {
    const Value* defaults = op.defaults().data();
    for (size_t i = static_cast<size_t>(given.positional); i < plan.steps.size(); ++i) {
      given.values[i] = defaults[i];
    }
    Run(plan, given, given.values, results);
  } else {
    alignas(Value) char storage[kRoom * sizeof(Value)];
    auto* args = reinterpret_cast<Value*>(storage);
    Arrange(plan, given, s, args);
    Run(plan, given, args, results);
  }
  return Return(op, results, among);
}

// What Python's functions of operators take beyond the schema.
PyObject* CallOtherwise(Operation& op, const Objects& from, Py_ssize_t n, PyObject* keywords,
                        const Error& refusal);

// A call of a new kind: its overload is found, and remembered where a plan can say it.
PyObject* CallNew(Operation& op, const Given& given, uint64_t signature, Scratch& s,
                  const Objects& from, Py_ssize_t n) {
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
      const auto* alias = std::find_if(
          std::begin(kAliases), std::end(kAliases),
          [&](const Alias& a) { return a.python == name && HasArgument(overloads, a.schema); });
      if (alias != std::end(kAliases)) name = alias->schema;
    }
    keywords.push_back({name, given.values[i]});
    keyword_at.push_back(i);
  }
  const std::span<const Value> values(given.values, static_cast<size_t>(given.positional));
  try {
    plan->op = &FindOverload(op.name, values, keywords);
  } catch (const Error& e) {
    if (e.code() != ErrorCode::kNoOverload) throw;
    return CallOtherwise(op, from, n, given.keywords, e);
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

bool IsTensorSequence(PyObject* o) { return PyTuple_Check(o) || PyList_Check(o); }

PyObject* CallOtherwise(Operation& op, const Objects& from, Py_ssize_t n, PyObject* keywords,
                        const Error& refusal) {
  const Py_ssize_t num_keywords = keywords == nullptr ? 0 : PyTuple_Size(keywords);
  // x.view(torch.int32), which the schema lacks.
  if (op.name == "view" && n + num_keywords == (from.self == nullptr ? 2 : 1)) {
    PyObject* dtype = from.args[from.count - 1];
    if (Py_TYPE(dtype) == word_types[0]) {
      PyObject* self = from.self == nullptr ? from.args[0] : from.self;
      if (IsTensor(self)) return PyObject_CallMethod(self, "_view_dtype", "O", dtype);
    }
  }
  std::vector<PyObject*> args(from.args, from.args + n + num_keywords);
  // out=(values, indices): keywords of the schema's names.
  for (Py_ssize_t k = 0; k < num_keywords; ++k) {
    PyObject* value = args[static_cast<size_t>(n + k)];
    const std::string_view name = TextOf(PyTuple_GetItem(keywords, k));
    if (name == "out" && IsTensorSequence(value)) {
      const Ref list = Own(PySequence_Tuple(value));
      for (const OperatorEntry* e : OverloadsOf(op)) {
        std::vector<std::string_view> written;
        for (const Argument& a : e->schema().arguments) {
          if (a.type.alias.write && a.kwarg_only) written.push_back(a.name);
        }
        if (static_cast<Py_ssize_t>(written.size()) != PyTuple_Size(list.get())) continue;
        std::vector<Ref> held;
        std::vector<PyObject*> all(args.begin(), args.begin() + n);
        Ref names = Own(PyTuple_New(num_keywords - 1 + static_cast<Py_ssize_t>(written.size())));
        Py_ssize_t at = 0;
        const auto add = [&](PyObject* name_object, PyObject* v) {
          all.push_back(v);
          PyTuple_SetItem(names.get(), at++, name_object);
        };
        for (Py_ssize_t i = 0; i < num_keywords; ++i) {
          if (i == k) continue;
          PyObject* other = PyTuple_GetItem(keywords, i);
          Py_INCREF(other);
          add(other, args[static_cast<size_t>(n + i)]);
        }
        for (size_t i = 0; i < written.size(); ++i) {
          PyObject* text = Checked(PyUnicode_InternFromString(std::string(written[i]).c_str()));
          add(text, PyTuple_GetItem(list.get(), static_cast<Py_ssize_t>(i)));
        }
        PyObject* out = CallOperation(op, from.self, all.data(), n, names.get());
        if (out != nullptr || PyErr_ExceptionMatches(PyExc_TypeError) == 0) return out;
        PyErr_Clear();
      }
    } else if (name == "device" && PyLong_Check(value)) {
      const Ref device = Own(WrapDevice(DeviceOfObject(value)));
      args[static_cast<size_t>(n + k)] = device.get();
      return CallOperation(op, from.self, args.data(), n, keywords);
    }
  }
  // Tensors one by one for a list of them: block_diag(a, b).
  const Py_ssize_t first = n > 0 && from.self == nullptr && !IsTensor(args[0]) ? 1 : 0;
  const bool lists = [&] {
    for (const OperatorEntry* e : OverloadsOf(op)) {
      const auto& arguments = e->schema().arguments;
      if (static_cast<Py_ssize_t>(arguments.size()) > first &&
          arguments[static_cast<size_t>(first)].type.is_tensor_list()) {
        return true;
      }
    }
    return false;
  }();
  if (lists && from.self == nullptr && n > first &&
      std::all_of(args.begin() + first, args.begin() + n,
                  [](PyObject* o) { return IsTensor(o); })) {
    const Ref list = Own(PyList_New(0));
    for (Py_ssize_t i = first; i < n; ++i) {
      if (PyList_Append(list.get(), args[static_cast<size_t>(i)]) < 0) ThrowPython();
    }
    std::vector<PyObject*> fewer(args.begin(), args.begin() + first);
    fewer.push_back(list.get());
    fewer.insert(fewer.end(), args.begin() + n, args.end());
    return CallOperation(op, nullptr, fewer.data(), first + 1, keywords);
  }
  // Tensors of one element for numbers; lists of such ones for sizes.
  bool first_is_tensor = false;
  for (const OperatorEntry* e : OverloadsOf(op)) {
    const auto& arguments = e->schema().arguments;
    first_is_tensor = first_is_tensor || (!arguments.empty() && arguments[0].type.is_tensor());
  }
  std::vector<Ref> numbers;
  for (size_t i = 0; i < args.size(); ++i) {
    const auto number = [&](PyObject* o) {
      return IsTensor(o) && TensorOf(o).dim() == 0 && !requires_grad(TensorOf(o));
    };
    if (IsTensorSequence(args[i])) {
      const Ref list = Own(PySequence_List(args[i]));
      bool changed = false;
      for (Py_ssize_t j = 0; j < PyList_Size(list.get()); ++j) {
        PyObject* item = PyList_GetItem(list.get(), j);
        if (!number(item)) continue;
        changed = true;
        PyList_SetItem(list.get(), j, Checked(PyObject_CallMethod(item, "item", nullptr)));
      }
      if (!changed) continue;
      numbers.push_back(Ref::Of(list.get()));
    } else if (number(args[i]) && (i > 0 || from.self != nullptr || !first_is_tensor)) {
      numbers.push_back(Own(PyObject_CallMethod(args[i], "item", nullptr)));
    } else {
      continue;
    }
    args[i] = numbers.back().get();
  }
  if (!numbers.empty()) return CallOperation(op, from.self, args.data(), n, keywords);
  throw refusal;
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

PyObject* CallOperation(Operation& op, PyObject* self, PyObject* const* args, Py_ssize_t n,
                        PyObject* keyword_names) {
  return Guard([&]() -> PyObject* {
    Scratch s;
    alignas(Value) char storage[kRoom * sizeof(Value)];
    Given given{reinterpret_cast<Value*>(storage)};
    given.keywords = keyword_names;
    const Py_ssize_t num_keywords = keyword_names == nullptr ? 0 : PyTuple_Size(keyword_names);
    if (n + num_keywords >= kRoom - 1) {
      // More arguments than any operator has, unless they are a list one by one.
      if (n > 0 && PyLong_CheckExact(args[n - 1])) {
        const Ref list = Own(PyList_New(0));
        for (Py_ssize_t i = 0; i < n; ++i) PyList_Append(list.get(), args[i]);
        PyObject* one[] = {list.get()};
        return CallOperation(op, self, one, 1, nullptr);
      }
      Throw(PyExc_TypeError, op.name + "(): takes fewer arguments than " + std::to_string(n));
    }
    int m = 0;
    if (self != nullptr) given.values[m++] = Value(TensorOf(self));
    if (!op.looked_at) LookAt(op);
    Py_ssize_t i = 0;
    if (op.packs && n > 0 && PyLong_CheckExact(args[n - 1])) {
      Py_ssize_t at = n;
      while (at > 0 && PyLong_CheckExact(args[at - 1])) --at;
      for (; i < at && IsTensor(args[i]); ++i) given.values[m++] = Value(TensorOf(args[i]));
      // Of view(dtype, 1) and the like, the runtime says what is wrong.
      if (i < at) at = n;
      for (; i < at; ++i) {
        if (!Take(args[i], &given.values[m++], s)) {
          FailArgument(op.name, "argument " + std::to_string(i + 1), args[i]);
        }
      }
      if (i < n) {
        int64_t* p = s.Ints(n - at);
        for (; i < n; ++i) {
          p[i - at] = PyLong_AsLongLong(args[i]);
          if (p[i - at] == -1 && PyErr_Occurred() != nullptr) ThrowPython();
        }
        given.values[m++] = Value(IntSpan(p, static_cast<size_t>(n - at)));
      }
    }
    for (; i < n; ++i) {
      if (!Take(args[i], &given.values[m++], s)) {
        FailArgument(op.name, "argument " + std::to_string(i + 1), args[i]);
      }
    }
    given.positional = m;
    for (Py_ssize_t k = 0; k < num_keywords; ++k) {
      if (!Take(args[n + k], &given.values[m++], s)) {
        FailArgument(op.name,
                     "argument '" + std::string(TextOf(PyTuple_GetItem(keyword_names, k))) + "'",
                     args[n + k]);
      }
    }
    given.count = m;
    const uint64_t signature = internal::SignatureOf(given.values, m);
    const Objects from{self, args, n + num_keywords};
    if (signature != 0) [[likely]] {
      if (const Plan* plan = FindPlan(op, signature, given)) [[likely]] {
        return RunPlan(*plan, given, s, from);
      }
    }
    return CallNew(op, given, signature, s, from, n);
  });
}

// --- Operators as functions and methods.

namespace {

struct PyOperation {
  PyObject_HEAD Operation* op;
};
PyTypeObject* operation_type;

PyObject* CallFunction(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* keywords) {
  return CallOperation(*reinterpret_cast<PyOperation*>(self)->op, nullptr, args, n, keywords);
}

constexpr int kMaxMethods = 1536;
Operation* method_operations[kMaxMethods];

template <int kI>
PyObject* CallMethod(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* keywords) {
  return CallOperation(*method_operations[kI], self, args, n, keywords);
}
template <int... kI>
constexpr std::array<FastCall, sizeof...(kI)> MethodCalls(std::integer_sequence<int, kI...>) {
  return {CallMethod<kI>...};
}
constexpr std::array<FastCall, kMaxMethods> kMethodCalls =
    MethodCalls(std::make_integer_sequence<int, kMaxMethods>());

// function(name, doc=""): the operators of that name as one function; None where there are none.
// doc: what stands behind the schemas in its documentation.
PyObject* Function(PyObject*, PyObject* const* args, Py_ssize_t n) {
  return Guard([&]() -> PyObject* {
    if (n < 1 || n > 2) Throw(PyExc_TypeError, "function() takes a name and a text");
    const std::string_view name = TextOf(args[0]);
    const auto known = Operations().find(name);
    if (known == Operations().end() && Registry::Global().FindPacket(name) == nullptr) {
      Py_RETURN_NONE;
    }
    Operation& op = *FindOperation(name);
    if (op.function.ml_name == nullptr) {
      for (const OperatorEntry* e : OverloadsOf(op)) op.doc += e->schema().str() + "\n";
      if (n == 2) op.doc += "\n" + std::string(TextOf(args[1]));
      op.function = {op.name.c_str(), Fast(CallFunction), METH_FASTCALL | METH_KEYWORDS,
                     op.doc.c_str()};
    }
    PyOperation* self = PyObject_New(PyOperation, operation_type);
    if (self == nullptr) ThrowPython();
    self->op = &op;
    const Ref owned(reinterpret_cast<PyObject*>(self));
    static PyObject* module = PyUnicode_InternFromString("switchyard");
    return Checked(PyCFunction_NewEx(&op.function, owned.get(), module));
  });
}

// schemas(name): the texts of all overloads.
PyObject* Schemas(PyObject*, PyObject* name) {
  return Guard([&] {
    Ref list = Own(PyList_New(0));
    Operation probe{std::string(TextOf(name))};
    for (const OperatorEntry* e : OverloadsOf(probe)) {
      const Ref text = Own(Text(e->schema().str()));
      if (PyList_Append(list.get(), text.get()) < 0) ThrowPython();
    }
    return list.release();
  });
}

// source(name): the file that registers the operators of that name; None: there is none.
PyObject* Source(PyObject*, PyObject* name) {
  return Guard([&]() -> PyObject* {
    Operation probe{std::string(TextOf(name))};
    for (const OperatorEntry* e : OverloadsOf(probe)) {
      if (e->def() != nullptr && e->def()->file != nullptr) return Text(e->def()->file);
    }
    Py_RETURN_NONE;
  });
}

PyObject* Names(PyObject*, PyObject*) {
  return Guard([&] {
    Ref list = Own(PyList_New(0));
    for (const std::string& name : Registry::Global().PacketNames()) {
      const Ref text = Own(Text(name));
      if (PyList_Append(list.get(), text.get()) < 0) ThrowPython();
    }
    return list.release();
  });
}

// call(name, …): by whatever name, "add.Tensor" too.
PyObject* CallNamed(PyObject*, PyObject* const* args, Py_ssize_t n, PyObject* keywords) {
  return Guard([&]() -> PyObject* {
    if (n == 0) Throw(PyExc_TypeError, "call(): the first argument is an operator's name");
    return CallOperation(*FindOperation(TextOf(args[0])), nullptr, args + 1, n - 1, keywords);
  });
}

void FreeOperation(PyObject* o) {
  PyTypeObject* type = Py_TYPE(o);
  PyObject_Free(o);
  Py_DECREF(type);
}
PyType_Slot operation_slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(FreeOperation)}, {}};
PyType_Spec operation_spec = {"switchyard._core.Operation", sizeof(PyOperation), 0,
                              Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                              operation_slots};

PyMethodDef functions[] = {
    {"function", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(Function)),
     METH_FASTCALL, "The operators of a name as a function; None: there are none."},
    {"schemas", Schemas, METH_O, "The schemas of all overloads of a name."},
    {"source", Source, METH_O, "The file that registers the operators of a name."},
    {"operator_names", Names, METH_NOARGS, "The names of all operators, without overloads."},
    {"call", Fast(CallNamed), METH_FASTCALL | METH_KEYWORDS,
     "call(name, ...): calls an operator by its name, or by an overload's: \"add.Tensor\"."},
    {}};

}  // namespace

std::vector<PyMethodDef> OperatorMethods(const std::vector<std::string_view>& taken) {
  std::vector<PyMethodDef> methods;
  int i = 0;
  for (const std::string& name : Registry::Global().PacketNames()) {
    if (name.find(':') != name.npos || i == kMaxMethods ||
        std::find(taken.begin(), taken.end(), name) != taken.end()) {
      continue;
    }
    Operation* op = FindOperation(name);
    method_operations[i] = op;
    methods.push_back({op->name.c_str(), Fast(kMethodCalls[static_cast<size_t>(i)]),
                       METH_FASTCALL | METH_KEYWORDS, nullptr});
    ++i;
  }
  return methods;
}

void InitCall(PyObject* module) {
  operation_type = AddType(module, &operation_spec);
  AddFunctions(module, functions);
}

}  // namespace sy::python
