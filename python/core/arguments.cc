#include "python/core/arguments.h"

namespace sy::python {
namespace {

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

}  // namespace

void FailArgument(const std::string& op, const std::string& which, PyObject* o) {
  const Ref type_name = Own(PyType_GetName(Py_TYPE(o)));
  Throw(PyExc_TypeError, op + "(): " + which + " is of type " +
                             std::string(TextOf(type_name.get())) + ", which no operator takes");
}

bool TakeOther(PyObject* o, Value* v, Scratch& s) {
  PyTypeObject* type = Py_TYPE(o);
  if (type == &PyFloat_Type) {
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
}  // namespace sy::python
