// The type Tensor: making, printing, attributes, and the methods that are no operators.

#include <algorithm>

#include "python/core/plan.h"
#include "python/core/python.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/core/error.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/view_as.h"
#include "switchyard/ops.h"

namespace sy::python {

PyTypeObject* tensor_type;

namespace {

// The memory of objects of tensors that died, for the next ones: programs make one for each result.
// It holds no references, not to the type either, and none of subclasses, which have more in them.
constexpr int kMaxKept = 32;
PyObject* kept_objects[kMaxKept];
int num_kept = 0;

PyObject* WrapAs(PyTypeObject* type, Tensor t) {
  auto* p = reinterpret_cast<PyTensor*>(Checked(PyType_GenericAlloc(type, 0)));
  new (&p->t) Tensor(std::move(t));
  return reinterpret_cast<PyObject*>(p);
}

// Tensor(), Tensor(2, 3), Tensor([1, 2]), Tensor(t): of the default dtype. Subclasses are made of
// a tensor, which they share.
PyObject* New(PyTypeObject* type, PyObject* args, PyObject*) {
  return Guard([&]() -> PyObject* {
    const Py_ssize_t n = PyTuple_Size(args);
    PyObject* first = n > 0 ? PyTuple_GetItem(args, 0) : nullptr;
    const DType d = DefaultDType();
    if (n == 0) return WrapAs(type, Tensor::Empty({0}, d));
    if (PyBool_Check(first) || PyFloat_Check(first) || PyComplex_Check(first)) {
      const Ref name = Own(PyType_GetName(Py_TYPE(first)));
      Throw(PyExc_TypeError,
            "new(): data must be a sequence (got " + std::string(TextOf(name.get())) + ")");
    }
    if (IsTensor(first)) return WrapAs(type, alias(TensorOf(first)));
    if (PyLong_Check(first)) return WrapAs(type, Tensor::Empty(IntsOf(args), d));
    if (Py_TYPE(first) == size_type) return WrapAs(type, Tensor::Empty(IntsOf(first), d));
    return WrapAs(type, MakeTensor(first, &d));
  });
}

void Dealloc(PyObject* o) {
  auto* p = reinterpret_cast<PyTensor*>(o);
  if (p->weak != nullptr) PyObject_ClearWeakRefs(o);
  p->t.~Tensor();
  PyTypeObject* type = Py_TYPE(o);
  if (type == tensor_type && num_kept < kMaxKept) [[likely]] {
    kept_objects[num_kept++] = o;
  } else if (type == tensor_type) {
    PyObject_Free(o);
  } else {
    reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(o);
  }
  Py_DECREF(type);
}

PyObject* Repr(PyObject* o) {
  return Guard([&] {
    const Tensor& t = TensorOf(o);
    std::string s;
    {
      const WithoutGil away(!t.is_host());
      s = ToString(t);
    }
    return Text(s);
  });
}

// f"{x:.2f}" of one element; without a format as str.
PyObject* Format(PyObject* o, PyObject* format) {
  return Guard([&]() -> PyObject* {
    const Tensor& t = TensorOf(o);
    if (t.dim() == 0 && t.row() != FindDeviceType("meta").row) {
      const Ref number = Own(WrapNumber(item(t)));
      return PyObject_Format(number.get(), format);
    }
    if (!TextOf(format).empty()) {
      Throw(PyExc_TypeError, "unsupported format string passed to Tensor.__format__");
    }
    return PyObject_Str(o);
  });
}

Py_hash_t Hash(PyObject* o) { return static_cast<Py_hash_t>(reinterpret_cast<uintptr_t>(o) >> 4); }

Py_ssize_t Length(PyObject* o) {
  const Tensor& t = TensorOf(o);
  if (t.dim() == 0) {
    PyErr_SetString(PyExc_TypeError, "len() of a 0-d tensor");
    return -1;
  }
  return t.sizes()[0];
}

PyObject* Iterate(PyObject* o) {
  return Guard([&]() -> PyObject* {
    const Tensor& t = TensorOf(o);
    if (t.dim() == 0) Throw(PyExc_TypeError, "iteration over a 0-d tensor");
    const Ref rows = Own(TensorTuple(unbind(t, 0)));
    return PyObject_GetIter(rows.get());
  });
}

int Contains(PyObject* o, PyObject* element) {
  return GuardInt([&] {
    if (!IsTensor(element) && !IsNumber(element)) {
      const Ref type_name = Own(PyType_GetName(Py_TYPE(element)));
      Throw(PyExc_RuntimeError,
            "Tensor.__contains__ only supports Tensor or scalar, but you passed in a " +
                std::string(TextOf(type_name.get())));
    }
    const Tensor& t = TensorOf(o);
    const Tensor equal = IsTensor(element) ? eq(t, TensorOf(element)) : eq(t, NumberOf(element));
    return static_cast<int>(item(any(equal)).To<bool>());
  });
}

// --- Attributes.

using Getter = PyObject* (*)(PyObject*, void*);
template <auto kF>
PyObject* Get(PyObject* o, void*) {
  return Guard([&] { return kF(TensorOf(o)); });
}
template <auto kF>
constexpr PyGetSetDef Attribute(const char* name, const char* doc = nullptr) {
  return {name, Get<kF>, nullptr, doc, nullptr};
}

PyObject* Shape(const Tensor& t) { return SizeOf(t.sizes()); }
PyObject* BoolOf(bool b) { return PyBool_FromLong(b); }
bool IsOn(const Tensor& t, std::string_view type) { return t.device().type.name() == type; }

int SetReal(PyObject* o, PyObject* value, void* imaginary) {
  return GuardInt([&] {
    if (value == nullptr) Throw(PyExc_TypeError, "tensors keep their parts");
    const Tensor& t = TensorOf(o);
    const Tensor part = imaginary != nullptr ? imag(t) : real(t);
    if (IsTensor(value)) {
      copy_(part, TensorOf(value));
    } else {
      fill_(part, NumberOf(value));
    }
    return 0;
  });
}

int SetData(PyObject* o, PyObject* value, void*) {
  return GuardInt([&] {
    if (value == nullptr || !IsTensor(value)) Throw(PyExc_TypeError, "data must be a tensor");
    TensorOf(o).set_data(TensorOf(value));
    return 0;
  });
}

const PyGetSetDef attributes[] = {
    Attribute<Shape>("shape", "The sizes of its dimensions, as a Size."),
    Attribute<[](const Tensor& t) { return WordOf(t.dtype()); }>("dtype", "Of its elements."),
    Attribute<[](const Tensor& t) { return WrapDevice(t.device()); }>("device", "Where it lies."),
    Attribute<[](const Tensor& t) { return WordOf(t.layout()); }>("layout"),
    Attribute<[](const Tensor& t) { return PyLong_FromLongLong(t.dim()); }>(
        "ndim", "The number of its dimensions."),
    Attribute<[](const Tensor& t) { return PyLong_FromSize_t(t.itemsize()); }>(
        "itemsize", "Bytes of one element."),
    Attribute<[](const Tensor& t) { return PyLong_FromSize_t(t.nbytes()); }>(
        "nbytes", "Bytes of all elements, without gaps."),
    Attribute<[](const Tensor& t) { return Wrap(numpy_T(t)); }>(
        "T", "With its dimensions in the opposite order."),
    Attribute<[](const Tensor& t) { return Wrap(mT(t)); }>("mT", "With its last two exchanged."),
    Attribute<[](const Tensor& t) { return Wrap(matrix_H(t)); }>("H", "Transposed, conjugated."),
    Attribute<[](const Tensor& t) { return Wrap(mH(t)); }>(
        "mH", "With its last two exchanged, conjugated."),
    {"real", Get<[](const Tensor& t) { return Wrap(real(t)); }>,
     [](PyObject* o, PyObject* v, void*) { return SetReal(o, v, nullptr); }, nullptr, nullptr},
    {"imag", Get<[](const Tensor& t) { return Wrap(imag(t)); }>,
     [](PyObject* o, PyObject* v, void*) { return SetReal(o, v, o); }, nullptr, nullptr},
    {"data", Get<[](const Tensor& t) { return Wrap(detach(t)); }>, SetData,
     "The same elements without a history.", nullptr},
    Attribute<[](const Tensor& t) { return BoolOf(t.is_host()); }>("is_cpu"),
    Attribute<[](const Tensor& t) { return BoolOf(IsOn(t, "cuda")); }>("is_cuda"),
    Attribute<[](const Tensor& t) { return BoolOf(IsOn(t, "meta")); }>("is_meta"),
    Attribute<[](const Tensor& t) { return BoolOf(t.is_sparse()); }>("is_sparse"),
    Attribute<[](const Tensor& t) { return BoolOf(t.is_sparse_csr()); }>("is_sparse_csr"),
    Attribute<[](const Tensor& t) { return BoolOf(t.is_quantized()); }>("is_quantized"),
    Attribute<[](const Tensor&) { return BoolOf(false); }>("is_nested"),
};

// --- Methods.

PyObject* SizeMethod(PyObject* o, PyObject* args, PyObject* keywords) {
  return Guard([&]() -> PyObject* {
    PyObject* dim = Py_None;
    static const char* names[] = {"dim", nullptr};
    if (PyArg_ParseTupleAndKeywords(args, keywords, "|O", const_cast<char**>(names), &dim) == 0) {
      return nullptr;
    }
    if (dim == Py_None) return Shape(TensorOf(o));
    return PyLong_FromLongLong(TensorOf(o).size(IntOf(dim)));
  });
}

PyObject* StrideMethod(PyObject* o, PyObject* args, PyObject* keywords) {
  return Guard([&]() -> PyObject* {
    PyObject* dim = Py_None;
    static const char* names[] = {"dim", nullptr};
    if (PyArg_ParseTupleAndKeywords(args, keywords, "|O", const_cast<char**>(names), &dim) == 0) {
      return nullptr;
    }
    if (dim == Py_None) return TupleOf(TensorOf(o).strides());
    return PyLong_FromLongLong(TensorOf(o).stride(IntOf(dim)));
  });
}

PyObject* Item(PyObject* o, PyObject*) {
  return Guard([&] {
    const Tensor& t = TensorOf(o);
    Scalar s;
    {
      const WithoutGil away(!t.is_host());
      s = item(t);
    }
    return WrapNumber(s);
  });
}

PyObject* IsContiguous(PyObject* o, PyObject* args, PyObject* keywords) {
  return Guard([&]() -> PyObject* {
    PyObject* format = Py_None;
    static const char* names[] = {"memory_format", nullptr};
    if (PyArg_ParseTupleAndKeywords(args, keywords, "|O", const_cast<char**>(names), &format) ==
        0) {
      return nullptr;
    }
    if (format == Py_None) return BoolOf(TensorOf(o).is_contiguous());
    if (Py_TYPE(format) != word_types[2]) Throw(PyExc_TypeError, "expected a memory format");
    const Value& v = reinterpret_cast<PyWord*>(format)->value;
    return BoolOf(TensorOf(o).is_contiguous(static_cast<MemoryFormat>(v.i)));
  });
}

template <auto kF>
PyObject* Call0(PyObject* o, PyObject*) {
  return Guard([&] { return kF(TensorOf(o)); });
}
// x.float(), x.long(): itself where it is of that dtype.
template <DType kTo>
PyObject* Cast(PyObject* o, PyObject*) {
  return Guard([&]() -> PyObject* {
    const Tensor& t = TensorOf(o);
    if (t.dtype() == kTo) {
      Py_INCREF(o);
      return o;
    }
    Tensor cast;
    {
      const WithoutGil away(IsLong(t));
      cast = t.to(kTo);
    }
    return Wrap(std::move(cast));
  });
}

// _view_dtype(dtype): the same bytes as elements of another dtype; of the last dimension there are
// more or fewer then.
PyObject* ViewDType(PyObject* o, PyObject* dtype) {
  return Guard([&] {
    const Tensor& t = TensorOf(o);
    const DType d = DTypeOfObject(dtype);
    const auto from = static_cast<int64_t>(t.itemsize()), to = static_cast<int64_t>(ItemSize(d));
    std::vector<int64_t> sizes(t.sizes().begin(), t.sizes().end());
    std::vector<int64_t> strides(t.strides().begin(), t.strides().end());
    int64_t offset = t.storage_offset();
    const auto refuse = [&](const std::string& why) {
      Fail(ErrorCode::kInvalidArgument, "view",
           {"a ", t.dtype(), " tensor of sizes ", t.sizes(), " as ", d, ": ", why});
    };
    if (t.is_conj() || t.is_neg()) refuse("it has the conjugate or negative bit set");
    if (from != to) {
      if (sizes.empty()) refuse("it has no dimension");
      if (strides.back() != 1 && sizes.back() != 1) refuse("its last stride is not 1");
      if (from > to) {
        const int64_t k = from / to;
        for (int64_t& s : strides) s *= k;
        offset *= k;
        sizes.back() *= k;
      } else {
        const int64_t k = to / from;
        if (sizes.back() % k != 0) refuse("its last size is no multiple of " + std::to_string(k));
        if (offset % k != 0) refuse("its offset is no multiple of " + std::to_string(k));
        for (size_t i = 0; i + 1 < strides.size(); ++i) {
          if (strides[i] % k != 0) refuse("a stride is no multiple of " + std::to_string(k));
          strides[i] /= k;
        }
        offset /= k;
        sizes.back() /= k;
      }
      strides.back() = 1;
    }
    return Wrap(ViewAs(t, d, sizes, strides, offset));
  });
}

// Whether it is the very tensor, behind whichever objects.
PyObject* IsSame(PyObject* o, PyObject* other) {
  return BoolOf(IsTensor(other) && TensorOf(o).is_same(TensorOf(other)));
}

PyCFunction Cpp(PyObject* (*f)(PyObject*, PyObject*, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(f));
}

const PyMethodDef methods[] = {
    {"size", Cpp(SizeMethod), METH_VARARGS | METH_KEYWORDS, "size(dim=None): all sizes, or one."},
    {"stride", Cpp(StrideMethod), METH_VARARGS | METH_KEYWORDS,
     "stride(dim=None): all strides in elements, or one."},
    {"item", Item, METH_NOARGS, "The only element as a number."},
    {"tolist", [](PyObject* o, PyObject*) { return Guard([&] { return ToList(TensorOf(o)); }); },
     METH_NOARGS, "Its elements as nested lists of numbers; of a 0-d tensor the number."},
    {"is_contiguous", Cpp(IsContiguous), METH_VARARGS | METH_KEYWORDS,
     "Whether its elements lie in order, without gaps."},
    {"dim", Call0<[](const Tensor& t) { return PyLong_FromLongLong(t.dim()); }>, METH_NOARGS,
     nullptr},
    {"ndimension", Call0<[](const Tensor& t) { return PyLong_FromLongLong(t.dim()); }>, METH_NOARGS,
     nullptr},
    {"numel", Call0<[](const Tensor& t) { return PyLong_FromLongLong(t.numel()); }>, METH_NOARGS,
     "The number of its elements."},
    {"nelement", Call0<[](const Tensor& t) { return PyLong_FromLongLong(t.numel()); }>, METH_NOARGS,
     nullptr},
    {"element_size", Call0<[](const Tensor& t) { return PyLong_FromSize_t(t.itemsize()); }>,
     METH_NOARGS, nullptr},
    {"storage_offset",
     Call0<[](const Tensor& t) { return PyLong_FromLongLong(t.storage_offset()); }>, METH_NOARGS,
     nullptr},
    {"data_ptr", Call0<[](const Tensor& t) { return PyLong_FromVoidPtr(t.data()); }>, METH_NOARGS,
     "The address of its first element."},
    {"_is_same", IsSame, METH_O, nullptr},
    {"_view_dtype", ViewDType, METH_O, nullptr},
    {"float", Cast<DType::kFloat32>, METH_NOARGS, nullptr},
    {"double", Cast<DType::kFloat64>, METH_NOARGS, nullptr},
    {"half", Cast<DType::kFloat16>, METH_NOARGS, nullptr},
    {"bfloat16", Cast<DType::kBFloat16>, METH_NOARGS, nullptr},
    {"long", Cast<DType::kInt64>, METH_NOARGS, nullptr},
    {"int", Cast<DType::kInt32>, METH_NOARGS, nullptr},
    {"short", Cast<DType::kInt16>, METH_NOARGS, nullptr},
    {"char", Cast<DType::kInt8>, METH_NOARGS, nullptr},
    {"byte", Cast<DType::kUInt8>, METH_NOARGS, nullptr},
    {"bool", Cast<DType::kBool>, METH_NOARGS, nullptr},
    {"cfloat", Cast<DType::kComplex64>, METH_NOARGS, nullptr},
    {"cdouble", Cast<DType::kComplex128>, METH_NOARGS, nullptr},
    {"__format__", Format, METH_O, nullptr},
};

PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(PyTensor, weak), READONLY, nullptr}, {}};

}  // namespace

PyObject* Wrap(Tensor t) {
  if (!t.defined()) Py_RETURN_NONE;
  PyTensor* p;
  if (num_kept > 0) [[likely]] {
    // As PyObject_New: one reference to it, and its own to the type.
    p = reinterpret_cast<PyTensor*>(PyObject_Init(kept_objects[--num_kept], tensor_type));
  } else {
    p = PyObject_New(PyTensor, tensor_type);
    if (p == nullptr) ThrowPython();
  }
  new (&p->t) Tensor(std::move(t));
  p->weak = nullptr;
  return reinterpret_cast<PyObject*>(p);
}

void InitTensor(PyObject* module) {
  // Tables of the type, which live as long as it: what is made by hand first, then operators.
  auto* all_attributes = new std::vector<PyGetSetDef>(std::begin(attributes), std::end(attributes));
  for (const PyGetSetDef* a = autograd_attributes; a->name != nullptr; ++a) {
    all_attributes->push_back(*a);
  }
  auto* all_methods = new std::vector<PyMethodDef>(std::begin(methods), std::end(methods));
  for (const PyMethodDef* table : {exchange_methods, autograd_methods}) {
    for (; table->ml_name != nullptr; ++table) all_methods->push_back(*table);
  }
  std::vector<std::string_view> taken;
  for (const PyMethodDef& m : *all_methods) taken.emplace_back(m.ml_name);
  for (const PyGetSetDef& a : *all_attributes) taken.emplace_back(a.name);
  const std::vector<PyMethodDef> operators = OperatorMethods(taken);
  all_methods->insert(all_methods->end(), operators.begin(), operators.end());
  all_methods->push_back({});
  all_attributes->push_back({});

  std::vector<PyType_Slot> slots = OperatorSlots();
  const auto add = [&](int id, auto* f) { slots.push_back({id, reinterpret_cast<void*>(f)}); };
  add(Py_tp_new, New);
  add(Py_tp_dealloc, Dealloc);
  add(Py_tp_repr, Repr);
  add(Py_tp_hash, Hash);
  add(Py_tp_iter, Iterate);
  add(Py_mp_length, Length);
  add(Py_mp_subscript, GetItem);
  add(Py_mp_ass_subscript, SetItem);
  add(Py_sq_contains, Contains);
  add(Py_bf_getbuffer, GetBuffer);
  add(Py_bf_releasebuffer, ReleaseBuffer);
  slots.push_back({Py_tp_methods, all_methods->data()});
  slots.push_back({Py_tp_getset, all_attributes->data()});
  slots.push_back({Py_tp_members, members});
  slots.push_back({});
  PyType_Spec spec = {"switchyard.Tensor", sizeof(PyTensor), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots.data()};
  tensor_type = AddType(module, &spec);
}

}  // namespace sy::python
