// Tensors of nested sequences, and nested lists of tensors.

#include <cstring>

#include "python/core/python.h"
#include "switchyard/core/error.h"
#include "switchyard/ops.h"

namespace sy::python {
namespace {

// Arrays of other libraries that have dimensions are sequences; those of none are numbers.
bool HasDimensions(PyObject* o) {
  const Ref ndim(PyObject_GetAttrString(o, "ndim"));
  if (ndim && PyLong_Check(ndim.get())) return IntOf(ndim.get()) > 0;
  PyErr_Clear();
  return false;
}

bool IsSequence(PyObject* o) {
  if (IsNumber(o)) return false;
  return PyList_Check(o) || PyTuple_Check(o) ||
         (PySequence_Check(o) != 0 && !PyUnicode_Check(o) && !PyBytes_Check(o) && !IsTensor(o) &&
          (PyObject_HasAttrString(o, "__array__") == 0 || HasDimensions(o)));
}

// What all numbers of a literal have in common.
struct Kinds {
  bool any = false, integers = false, floats = false, complex_numbers = false;
  std::vector<DType> dtypes;  // of tensors and arrays among them
};

// First the sizes and kinds, then the elements.
class Literal {
 public:
  explicit Literal(PyObject* data) { Look(data, 0); }

  DType dtype() const {
    if (!kinds_.any && kinds_.dtypes.empty()) return DefaultDType();
    DType d = DType::kBool;
    if (kinds_.complex_numbers) {
      d = ComplexType(DefaultDType());
    } else if (kinds_.floats) {
      d = DefaultDType();
    } else if (kinds_.integers) {
      d = DType::kInt64;
    }
    if (kinds_.dtypes.empty()) return d;
    DType all = kinds_.dtypes[0];
    for (const DType other : kinds_.dtypes) all = PromoteTypes(all, other);
    return kinds_.any ? PromoteTypes(all, d) : all;
  }

  Tensor Make(PyObject* data, DType d) {
    Tensor t = Tensor::Empty(sizes_, d);
    VisitDType<kAllTypes>(d, [&](auto tag) {
      using T = typename decltype(tag)::type;
      T* at = t.data<T>();
      Fill(data, 0, at);
    });
    return t;
  }

 private:
  static constexpr size_t kDeepest = 64;

  static PyObject* At(PyObject* o, Py_ssize_t i) {  // borrowed where it can be
    return PyList_Check(o) ? PyList_GetItem(o, i) : PyTuple_GetItem(o, i);
  }
  // Sequences of other kinds are read once, and kept.
  PyObject* Plain(PyObject* o) {
    if (PyList_Check(o) || PyTuple_Check(o)) return o;
    for (const auto& [from, list] : lists_) {
      if (from == o) return list.get();
    }
    lists_.emplace_back(o, Own(PySequence_List(o)));
    return lists_.back().second.get();
  }

  void Look(PyObject* o, size_t depth) {
    if (!IsSequence(o)) {
      if (depth < sizes_.size()) {
        Throw(PyExc_TypeError, "expected sequence of length " + std::to_string(sizes_[depth]) +
                                   " at dim " + std::to_string(depth) + ", got a number");
      }
      closed_ = true;
      return LookAtNumber(o);
    }
    if (depth >= kDeepest)
      Throw(PyExc_ValueError, "too many dimensions: sequences nest too deeply");
    PyObject* list = Plain(o);
    const Py_ssize_t n = PySequence_Size(list);
    if (depth == sizes_.size()) {
      if (closed_) {
        Throw(PyExc_TypeError, "sequences of one level differ in depth: a number and a sequence");
      }
      sizes_.push_back(n);
    } else if (sizes_[depth] != n) {
      Throw(PyExc_ValueError, "expected sequence of length " + std::to_string(sizes_[depth]) +
                                  " at dim " + std::to_string(depth) + " (got " +
                                  std::to_string(n) + ")");
    }
    for (Py_ssize_t i = 0; i < n; ++i) Look(At(list, i), depth + 1);
    if (n == 0) closed_ = true;
  }

  void LookAtNumber(PyObject* o) {
    if (PyFloat_CheckExact(o)) {
      kinds_.any = kinds_.floats = true;
    } else if (PyBool_Check(o)) {
      kinds_.any = true;
    } else if (PyLong_Check(o)) {
      kinds_.any = kinds_.integers = true;
    } else if (PyComplex_Check(o) && PyObject_HasAttrString(o, "dtype") == 0) {
      kinds_.any = kinds_.complex_numbers = true;
    } else if (IsTensor(o)) {
      if (TensorOf(o).numel() != 1) {
        Throw(PyExc_ValueError, "only one element tensors can be converted to Python scalars");
      }
      kinds_.dtypes.push_back(TensorOf(o).dtype());
    } else if (PyObject_HasAttrString(o, "__array__") != 0) {
      const Tensor t = FromBuffer(o);
      if (!t.defined() || t.numel() != 1) {
        Throw(PyExc_ValueError, "only arrays of one element can be elements of a tensor");
      }
      kinds_.dtypes.push_back(t.dtype());
    } else if (PyFloat_Check(o)) {
      kinds_.any = kinds_.floats = true;
    } else if (PyIndex_Check(o) != 0) {
      kinds_.any = kinds_.integers = true;
    } else {
      const Ref type_name = Own(PyType_GetName(Py_TYPE(o)));
      Throw(PyUnicode_Check(o) || PyBytes_Check(o) ? PyExc_TypeError : PyExc_RuntimeError,
            "a tensor is made of numbers, got " + std::string(TextOf(type_name.get())));
    }
  }

  template <class T>
  static T Element(PyObject* o) {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
      if (PyFloat_CheckExact(o)) return static_cast<T>(PyFloat_AsDouble(o));
    }
    Scalar s;
    if (PyLong_Check(o) && !PyBool_Check(o) && !IsIntegral(DTypeOf<T>, true)) {
      int overflow = 0;
      const int64_t n = PyLong_AsLongLongAndOverflow(o, &overflow);
      s = overflow == 0 ? Scalar(n) : Scalar(PyLong_AsDouble(o));
      if (PyErr_Occurred() != nullptr) ThrowPython();
    } else {
      s = NumberOf(o);
    }
    if (s.is_complex() && !IsComplex(DTypeOf<T>)) {
      Throw(PyExc_RuntimeError, "a complex number cannot be an element of a " +
                                    std::string(Name(DTypeOf<T>)) + " tensor");
    }
    if constexpr (std::is_same_v<T, uint64_t>) {  // the smaller ones wrap around, as in PyTorch
      if (s.kind() == Scalar::kInt && s.To<int64_t>() < 0)
        Throw(PyExc_OverflowError, "can't convert negative int to unsigned");
    }
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      return s.CheckedTo<T>();
    } else {
      return s.To<T>();
    }
  }

  template <class T>
  void Fill(PyObject* o, size_t depth, T*& at) {
    if (depth == sizes_.size()) {
      *at++ = Element<T>(o);
      return;
    }
    PyObject* list = Plain(o);
    // What converting an element calls may have changed the list.
    if (PySequence_Size(list) != sizes_[depth]) {
      Throw(PyExc_RuntimeError, "a sequence has changed while a tensor was made of it");
    }
    for (Py_ssize_t i = 0; i < sizes_[depth]; ++i) {
      if (i >= PySequence_Size(list)) {
        Throw(PyExc_RuntimeError, "a sequence has changed while a tensor was made of it");
      }
      const Ref item = Ref::Of(At(list, i));
      Fill(item.get(), depth + 1, at);
    }
  }

  std::vector<int64_t> sizes_;
  std::vector<std::pair<PyObject*, Ref>> lists_;
  Kinds kinds_;
  bool closed_ = false;  // numbers have been seen: no more dimensions
};

PyObject* ListOf(const Tensor& t, int64_t dim, const char* at) {
  if (dim == t.dim()) {
    return VisitDType<kAllTypes>(t.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      T x;
      std::memcpy(&x, at, sizeof x);
      if constexpr (std::is_same_v<T, bool> || std::is_integral_v<T>) {
        return WrapNumber(Scalar(x));
      } else if constexpr (requires { typename T::value_type; }) {
        return WrapNumber(Scalar(std::complex<double>(x)));
      } else if constexpr (std::is_same_v<T, ComplexHalf>) {
        return WrapNumber(Scalar(std::complex<float>(x)));
      } else if constexpr (std::is_same_v<T, double>) {
        return WrapNumber(Scalar(x));
      } else {
        return WrapNumber(Scalar(static_cast<float>(x)));
      }
    });
  }
  const int64_t n = t.sizes()[static_cast<size_t>(dim)];
  const int64_t step = t.strides()[static_cast<size_t>(dim)] * static_cast<int64_t>(t.itemsize());
  Ref list = Own(PyList_New(n));
  for (int64_t i = 0; i < n; ++i) {
    PyList_SetItem(list.get(), i, Checked(ListOf(t, dim + 1, at + i * step)));
  }
  return list.release();
}

// tensor(data, dtype): as torch.tensor, on the host.
PyObject* MakeTensorFunction(PyObject*, PyObject* const* args, Py_ssize_t n) {
  return Guard([&]() -> PyObject* {
    if (n != 2) Throw(PyExc_TypeError, "tensor() takes data and a dtype");
    DType d{};
    if (args[1] != Py_None) d = DTypeOfObject(args[1]);
    return Wrap(MakeTensor(args[0], args[1] == Py_None ? nullptr : &d));
  });
}

PyMethodDef functions[] = {
    {"_tensor", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(MakeTensorFunction)),
     METH_FASTCALL, nullptr},
    {}};

}  // namespace

Tensor MakeTensor(PyObject* data, const DType* dtype) {
  if (IsTensor(data)) {
    const Tensor t = detach(TensorOf(data));
    return dtype == nullptr || *dtype == t.dtype() ? clone(t) : t.to(*dtype);
  }
  if (!PyList_Check(data) && !PyTuple_Check(data) &&
      PyObject_HasAttrString(data, "__array__") != 0) {
    const Tensor t = FromBuffer(data);
    if (t.defined()) return dtype == nullptr || *dtype == t.dtype() ? clone(t) : t.to(*dtype);
  }
  Literal literal(data);
  return literal.Make(data, dtype == nullptr ? literal.dtype() : *dtype);
}

PyObject* ToList(const Tensor& t) {
  const Tensor here = resolve_neg(resolve_conj(detach(t.is_host() ? t : t.to(kCpu))));
  return ListOf(here, 0, static_cast<const char*>(here.data()));
}

void InitLiteral(PyObject* module) { AddFunctions(module, functions); }

}  // namespace sy::python
