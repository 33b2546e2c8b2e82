// Calls that no overload takes, as Python's functions take them: each way in turn, where the
// arguments are of its kind.

#include <algorithm>
#include <optional>
#include <string>

#include "python/core/overloads.h"
#include "switchyard/autograd/autograd.h"

namespace sy::python {
namespace {

// The arguments of a call once more, for changing.
struct Again {
  Operation& op;
  const CallObjects& from;
  Py_ssize_t n;  // by position
  PyObject* keywords;
  std::vector<PyObject*> args;

  Py_ssize_t num_keywords() const { return static_cast<Py_ssize_t>(args.size()) - n; }
  PyObject* Call() { return CallOperation(op, from.self, args.data(), n, keywords); }
};
// A result, or null with an exception set; none: the way is not for such arguments.
using Tried = std::optional<PyObject*>;

bool IsSequence(PyObject* o) { return PyTuple_Check(o) || PyList_Check(o); }

template <class F>
bool AnyOverload(const Operation& op, F f) {
  const std::vector<OperatorEntry*> all = OverloadsOf(op);
  return std::any_of(all.begin(), all.end(),
                     [&](const OperatorEntry* e) { return f(e->schema().arguments); });
}

// x.view(torch.int32), which the schema lacks.
Tried ViewOfDType(const Again& c) {
  if (c.op.name != "view" || c.args.size() != (c.from.self == nullptr ? 2u : 1u)) return {};
  PyObject* dtype = c.args.back();
  PyObject* self = c.from.self == nullptr ? c.args[0] : c.from.self;
  if (Py_TYPE(dtype) != word_types[0] || !IsTensor(self)) return {};
  return PyObject_CallMethod(self, "_view_dtype", "O", dtype);
}

// out=(values, indices), the k-th keyword: keywords of the schema's names.
Tried OutsByName(const Again& c, Py_ssize_t k) {
  const Ref outs = Own(PySequence_Tuple(c.args[static_cast<size_t>(c.n + k)]));
  for (const OperatorEntry* e : OverloadsOf(c.op)) {
    std::vector<std::string> written;
    for (const Argument& a : e->schema().arguments) {
      if (a.type.alias.write && a.kwarg_only) written.push_back(a.name);
    }
    if (static_cast<Py_ssize_t>(written.size()) != PyTuple_Size(outs.get())) continue;
    std::vector<PyObject*> all(c.args.begin(), c.args.begin() + c.n);
    const Ref names =
        Own(PyTuple_New(c.num_keywords() - 1 + static_cast<Py_ssize_t>(written.size())));
    Py_ssize_t at = 0;
    const auto add = [&](Ref name, PyObject* value) {
      all.push_back(value);
      PyTuple_SetItem(names.get(), at++, name.release());
    };
    for (Py_ssize_t i = 0; i < c.num_keywords(); ++i) {
      if (i == k) continue;
      add(Ref::Of(PyTuple_GetItem(c.keywords, i)), c.args[static_cast<size_t>(c.n + i)]);
    }
    for (size_t i = 0; i < written.size(); ++i) {
      add(Own(PyUnicode_InternFromString(written[i].c_str())),
          PyTuple_GetItem(outs.get(), static_cast<Py_ssize_t>(i)));
    }
    PyObject* out = CallOperation(c.op, c.from.self, all.data(), c.n, names.get());
    if (out != nullptr || PyErr_ExceptionMatches(PyExc_TypeError) == 0) return out;
    PyErr_Clear();
  }
  return {};
}

// A text that should be a device's name and is none is said to be that.
void RequireDevice(PyObject* o) {
  if (PyUnicode_Check(o)) DeviceOfObject(o);
}

// out= of several tensors, device= of a number.
Tried ByKeyword(Again& c) {
  for (Py_ssize_t k = 0; k < c.num_keywords(); ++k) {
    PyObject*& value = c.args[static_cast<size_t>(c.n + k)];
    const std::string_view name = TextOf(PyTuple_GetItem(c.keywords, k));
    if (name == "out" && IsSequence(value)) {
      if (const Tried tried = OutsByName(c, k)) return tried;
    } else if (name == "device" && PyLong_Check(value)) {
      const Ref device = Own(WrapDevice(DeviceOfObject(value)));
      value = device.get();
      return c.Call();
    } else if (name == "device") {
      RequireDevice(value);
    }
  }
  return {};
}

// Tensors one by one for a list of them: block_diag(a, b).
Tried TensorsAsList(const Again& c) {
  if (c.from.self != nullptr) return {};
  const Py_ssize_t first = c.n > 0 && !IsTensor(c.args[0]) ? 1 : 0;
  if (c.n <= first || !std::all_of(c.args.begin() + first, c.args.begin() + c.n, IsTensor)) {
    return {};
  }
  if (!AnyOverload(c.op, [&](const std::vector<Argument>& a) {
        return static_cast<Py_ssize_t>(a.size()) > first &&
               a[static_cast<size_t>(first)].type.is_tensor_list();
      })) {
    return {};
  }
  // One that may be a number is none: _foreach_sub(x, tensor(2)).
  if (c.n == first + 1 && AnyOverload(c.op, [&](const std::vector<Argument>& a) {
        return static_cast<Py_ssize_t>(a.size()) > first &&
               a[static_cast<size_t>(first)].type.kind == TypeKind::kScalar &&
               !a[static_cast<size_t>(first)].type.list;
      })) {
    return {};
  }
  const Ref list = Own(PyList_New(0));
  for (Py_ssize_t i = first; i < c.n; ++i) {
    if (PyList_Append(list.get(), c.args[static_cast<size_t>(i)]) < 0) ThrowPython();
  }
  std::vector<PyObject*> fewer(c.args.begin(), c.args.begin() + first);
  fewer.push_back(list.get());
  fewer.insert(fewer.end(), c.args.begin() + c.n, c.args.end());
  return CallOperation(c.op, nullptr, fewer.data(), first + 1, c.keywords);
}

// None for a list of integers that is empty where it is left out: x.amax(None).
Tried NoneAsList(Again& c) {
  const std::vector<OperatorEntry*> overloads = OverloadsOf(c.op);
  const auto may_be_empty = [](const OperatorEntry* e, int k) {
    if (k < 0 || k >= e->num_arguments) return false;
    const Value& left_out = e->defaults()[static_cast<size_t>(k)];
    return e->schema().arguments[static_cast<size_t>(k)].has_default &&
           left_out.tag == Tag::kIntList && left_out.len == 0;
  };
  const Ref empty = Own(PyTuple_New(0));
  bool changed = false;
  for (Py_ssize_t i = 0; i < static_cast<Py_ssize_t>(c.args.size()); ++i) {
    PyObject*& given = c.args[static_cast<size_t>(i)];
    if (given != Py_None) continue;
    std::string_view name = i < c.n ? "" : TextOf(PyTuple_GetItem(c.keywords, i - c.n));
    if (!HasArgument(overloads, name)) name = NameInSchema(overloads, name);
    const int at = static_cast<int>(i) + (c.from.self == nullptr ? 0 : 1);
    if (std::any_of(overloads.begin(), overloads.end(), [&](const OperatorEntry* e) {
          return may_be_empty(e, i < c.n ? at : e->schema().Find(name));
        })) {
      given = empty.get();
      changed = true;
    }
  }
  if (!changed) return {};
  return c.Call();
}

// Tensors of one element for numbers; lists of such ones for sizes.
Tried TensorsAsNumbers(Again& c) {
  const bool first_is_tensor = AnyOverload(
      c.op, [](const std::vector<Argument>& a) { return !a.empty() && a[0].type.is_tensor(); });
  const auto is_number = [](PyObject* o) {
    return IsTensor(o) && TensorOf(o).dim() == 0 && !requires_grad(TensorOf(o));
  };
  const auto number_of = [](PyObject* o) { return Own(PyObject_CallMethod(o, "item", nullptr)); };
  // Of tensors, where no overload has a list of numbers, it stays one: self of _foreach_add.
  const auto is_list_of_tensors = [&](size_t i) {
    if (i >= static_cast<size_t>(c.n)) return false;
    const size_t at = i + (c.from.self == nullptr ? 0 : 1);
    const auto any_list = [&](bool of_tensors) {
      return AnyOverload(c.op, [&](const std::vector<Argument>& a) {
        return at < a.size() && a[at].type.list && a[at].type.is_tensor_list() == of_tensors;
      });
    };
    return any_list(true) && !any_list(false);
  };
  std::vector<Ref> numbers;
  for (size_t i = 0; i < c.args.size(); ++i) {
    PyObject*& given = c.args[i];
    if (IsSequence(given)) {
      if (is_list_of_tensors(i)) continue;
      Ref list = Own(PySequence_List(given));
      bool changed = false;
      for (Py_ssize_t j = 0; j < PyList_Size(list.get()); ++j) {
        if (!is_number(PyList_GetItem(list.get(), j))) continue;
        changed = true;
        Ref number = number_of(PyList_GetItem(list.get(), j));
        PyList_SetItem(list.get(), j, number.release());
      }
      if (!changed) continue;
      numbers.push_back(std::move(list));
    } else if (is_number(given) && (i > 0 || c.from.self != nullptr || !first_is_tensor)) {
      numbers.push_back(number_of(given));
    } else {
      continue;
    }
    given = numbers.back().get();
  }
  if (numbers.empty()) return {};
  return c.Call();
}

}  // namespace

PyObject* CallOtherwise(Operation& op, const CallObjects& from, Py_ssize_t n, PyObject* keywords,
                        const Error& refusal) {
  const Py_ssize_t num_keywords = keywords == nullptr ? 0 : PyTuple_Size(keywords);
  Again c{op, from, n, keywords, {from.args, from.args + n + num_keywords}};
  if (op.name == "to" && from.self != nullptr && n > 0) RequireDevice(from.args[0]);
  if (const Tried tried = ViewOfDType(c)) return *tried;
  if (const Tried tried = ByKeyword(c)) return *tried;
  if (const Tried tried = NoneAsList(c)) return *tried;
  if (const Tried tried = TensorsAsList(c)) return *tried;
  if (const Tried tried = TensorsAsNumbers(c)) return *tried;
  throw refusal;
}

}  // namespace sy::python
