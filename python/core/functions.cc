// Operators as functions and methods.

#include <array>
#include <string>
#include <unordered_set>

#include "python/core/overloads.h"
#include "switchyard/registry/registry.h"

namespace sy::python {
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
    if (Registry::Global().FindPacket(name) == nullptr) Py_RETURN_NONE;
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

// Of modules whose operators are made when they are asked for. A call site remembers where a
// module's name lies, but not of a module that has __getattr__, where finding a name takes 230
// instructions more; here it is a look into the module's dict.
PyObject* GetAttribute(PyObject* module, PyObject* name) {
  PyObject* found = PyDict_GetItemWithError(PyModule_GetDict(module), name);
  if (found != nullptr) [[likely]] {
    Py_INCREF(found);
    return found;
  }
  if (PyErr_Occurred() != nullptr) return nullptr;
  static const auto otherwise =
      reinterpret_cast<getattrofunc>(PyType_GetSlot(&PyModule_Type, Py_tp_getattro));
  return otherwise(module, name);
}
PyType_Slot module_slots[] = {{Py_tp_getattro, reinterpret_cast<void*>(GetAttribute)}, {}};
PyType_Spec module_spec = {"switchyard._core.OperatorModule", 0, 0, Py_TPFLAGS_DEFAULT,
                           module_slots};

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
  const std::unordered_set<std::string_view> others(taken.begin(), taken.end());
  std::vector<PyMethodDef> methods;
  methods.reserve(kMaxMethods);
  int i = 0;
  for (const std::string& name : Registry::Global().PacketNames()) {
    if (name.find(':') != name.npos || i == kMaxMethods || others.contains(name)) continue;
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
  AddType(module, &module_spec, reinterpret_cast<PyObject*>(&PyModule_Type));
  AddFunctions(module, functions);
}

}  // namespace sy::python
