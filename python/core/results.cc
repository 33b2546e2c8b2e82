#include "python/core/results.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

namespace sy::python {
namespace {

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

PyObject* Object(Result& r, const CallObjects& from) {
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

}  // namespace

PyObject* Return(const OperatorEntry& op, Results& results, const CallObjects& from) {
  const int n = results.size();
  if (n == 1) return Object(results[0], from);
  if (n == 0) {
    // What is done to a list in place gives the list: _foreach_add_(x, 1).
    const std::vector<Argument>& arguments = op.schema().arguments;
    PyObject* const first = from.self == nullptr && from.count > 0 ? from.args[0] : nullptr;
    const bool in_place = !arguments.empty() && arguments[0].type.is_tensor_list() &&
                          arguments[0].type.alias.write && op.schema().name.ends_with('_');
    if (!in_place || first == nullptr || (PyList_Check(first) == 0 && PyTuple_Check(first) == 0)) {
      Py_RETURN_NONE;
    }
    Py_INCREF(first);
    return first;
  }
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

}  // namespace sy::python
