// Numbers, texts and lists between Python and C++.

#include <complex>

#include "python/core/python.h"

namespace sy::python {

std::string_view TextOf(PyObject* o) {
  Py_ssize_t n = 0;
  const char* s = PyUnicode_AsUTF8AndSize(o, &n);
  if (s == nullptr) ThrowPython();
  return {s, static_cast<size_t>(n)};
}

int64_t IntOf(PyObject* o) {
  const Ref index = Own(PyNumber_Index(o));
  const int64_t n = PyLong_AsLongLong(index.get());
  if (n == -1 && PyErr_Occurred() != nullptr) ThrowPython();
  return n;
}

bool IsNumber(PyObject* o) { return PyLong_Check(o) || PyFloat_Check(o) || PyComplex_Check(o); }

Scalar NumberOf(PyObject* o) {
  if (PyBool_Check(o)) return Scalar(o == Py_True);
  if (PyFloat_Check(o)) return Scalar(PyFloat_AsDouble(o));
  if (PyComplex_Check(o)) {
    return Scalar(std::complex<double>(PyComplex_RealAsDouble(o), PyComplex_ImagAsDouble(o)));
  }
  if (!PyLong_Check(o)) {
    // Numbers of other libraries, and tensors of one element.
    if (PyObject_HasAttrString(o, "item") != 0) {
      const Ref item = Own(PyObject_CallMethod(o, "item", nullptr));
      if (IsNumber(item.get())) return NumberOf(item.get());
    }
    if (PyIndex_Check(o) == 0) {
      const Ref number = Own(PyNumber_Float(o));
      return Scalar(PyFloat_AsDouble(number.get()));
    }
  }
  const Ref index = Own(PyNumber_Index(o));
  int overflow = 0;
  const int64_t n = PyLong_AsLongLongAndOverflow(index.get(), &overflow);
  if (n == -1 && overflow == 0 && PyErr_Occurred() != nullptr) ThrowPython();
  if (overflow == 0) return Scalar(n);
  const uint64_t u = PyLong_AsUnsignedLongLong(index.get());
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    Throw(PyExc_OverflowError, "an integer beyond 64 bits");
  }
  return Scalar(u);
}

PyObject* WrapNumber(const Scalar& s) {
  switch (s.kind()) {
    case Scalar::kBool:
      return PyBool_FromLong(s.To<bool>());
    case Scalar::kInt:
      return PyLong_FromLongLong(s.To<int64_t>());
    case Scalar::kUInt:
      return PyLong_FromUnsignedLongLong(s.To<uint64_t>());
    case Scalar::kDouble:
      return PyFloat_FromDouble(s.To<double>());
    default:
      return PyComplex_FromDoubles(s.complex_data()[0], s.complex_data()[1]);
  }
}

std::vector<int64_t> IntsOf(PyObject* o) {
  if (PyIndex_Check(o) != 0) return {IntOf(o)};
  const Ref list = Own(PySequence_Tuple(o));
  std::vector<int64_t> out;
  out.reserve(static_cast<size_t>(PyTuple_Size(list.get())));
  for (Py_ssize_t i = 0; i < PyTuple_Size(list.get()); ++i) {
    out.push_back(IntOf(PyTuple_GetItem(list.get(), i)));
  }
  return out;
}

std::vector<Tensor> TensorsOf(PyObject* o) {
  if (o == Py_None) return {};
  if (IsTensor(o)) return {TensorOf(o)};
  const Ref list = Own(PySequence_Tuple(o));
  std::vector<Tensor> out;
  out.reserve(static_cast<size_t>(PyTuple_Size(list.get())));
  for (Py_ssize_t i = 0; i < PyTuple_Size(list.get()); ++i) {
    PyObject* item = PyTuple_GetItem(list.get(), i);
    if (item != Py_None && !IsTensor(item)) {
      Throw(PyExc_TypeError, "expected a tensor, or a sequence of tensors");
    }
    out.push_back(item == Py_None ? Tensor() : TensorOf(item));
  }
  return out;
}

PyObject* TensorTuple(std::vector<Tensor> list) {
  Ref out = Own(PyTuple_New(static_cast<Py_ssize_t>(list.size())));
  for (size_t i = 0; i < list.size(); ++i) {
    PyTuple_SetItem(out.get(), static_cast<Py_ssize_t>(i), Wrap(std::move(list[i])));
  }
  return out.release();
}

PyObject* TensorTuple(TensorList list) {
  return TensorTuple(std::vector<Tensor>(list.begin(), list.end()));
}

PyObject* ObjectOf(const Value& v) {
  const auto tuple = [&](auto list, auto wrap) {
    Ref out = Own(PyTuple_New(static_cast<Py_ssize_t>(list.size())));
    for (size_t i = 0; i < list.size(); ++i) {
      PyTuple_SetItem(out.get(), static_cast<Py_ssize_t>(i), wrap(list[i]));
    }
    return out.release();
  };
  switch (v.tag) {
    case Tag::kNone:
      Py_RETURN_NONE;
    case Tag::kString:
      return Text(v.text());
    case Tag::kTensor:
      return Wrap(v.tensor());
    case Tag::kIntList:
      return TupleOf(v.list<int64_t>());
    case Tag::kDoubleList:
      return tuple(v.list<double>(), PyFloat_FromDouble);
    case Tag::kBoolList:
      return tuple(v.list<bool>(), [](bool b) { return PyBool_FromLong(b); });
    case Tag::kTensorList:
      return TensorTuple(v.list<Tensor>());
    case Tag::kScalarList:
      return tuple(v.list<Scalar>(), WrapNumber);
    case Tag::kDType:
      return WordOf(static_cast<DType>(v.i));
    case Tag::kDevice:
      return WrapDevice(v.device);
    case Tag::kLayout:
      return WordOf(static_cast<Layout>(v.i));
    case Tag::kMemoryFormat:
      return WordOf(static_cast<MemoryFormat>(v.i));
    case Tag::kGenerator:
      Py_RETURN_NONE;
    default:
      return WrapNumber(v.scalar());
  }
}

void SetResult(PyObject* o, Result& r) {
  if (o == Py_None) {
    r.Set(Tensor());
  } else if (IsTensor(o)) {
    r.Set(TensorOf(o));
  } else if (PyUnicode_Check(o)) {
    r.Set(TextOf(o));
  } else if (Py_TYPE(o) == word_types[0]) {
    r.Set(DTypeOfObject(o));
  } else if (PyList_Check(o) || PyTuple_Check(o)) {
    const Py_ssize_t n = PySequence_Size(o);
    const Ref first(n > 0 ? PySequence_GetItem(o, 0) : nullptr);
    if (first && !IsTensor(first.get())) {
      r.Set(IntSpan(IntsOf(o)));
    } else {
      r.Set(TensorsOf(o));
    }
  } else {
    r.Set(NumberOf(o));
  }
}

}  // namespace sy::python
