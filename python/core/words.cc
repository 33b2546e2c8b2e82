// dtype, layout, memory_format, device, Size and Generator.

#include "python/core/python.h"
#include "switchyard/core/accelerator.h"
#include "switchyard/core/error.h"

namespace sy::python {

PyTypeObject* word_types[3];
PyTypeObject* device_type;
PyTypeObject* generator_type;
PyTypeObject* size_type;

namespace {

PyObject* words[3][kNumDTypes];

std::string_view NameOf(const Value& v) {
  switch (v.tag) {
    case Tag::kDType:
      return Name(static_cast<DType>(v.i));
    case Tag::kLayout:
      return Name(static_cast<Layout>(v.i));
    default:
      return Name(static_cast<MemoryFormat>(v.i));
  }
}

const Value& ValueOf(PyObject* o) { return reinterpret_cast<PyWord*>(o)->value; }
DType DTypeOfSelf(PyObject* o) { return static_cast<DType>(ValueOf(o).i); }

void FreeWord(PyObject* o) {
  PyTypeObject* type = Py_TYPE(o);
  PyObject_Free(o);
  Py_DECREF(type);
}

PyObject* WordRepr(PyObject* o) { return Text("torch." + std::string(NameOf(ValueOf(o)))); }

// pickle and copy: an attribute of the module by this name.
PyObject* WordReduce(PyObject* o, PyObject*) { return Text(NameOf(ValueOf(o))); }

PyMethodDef word_methods[] = {{"__reduce__", WordReduce, METH_NOARGS, nullptr}, {}};

template <int kAs>
PyObject* DTypeCast(PyObject* o, PyObject*) {
  return Guard([&] {
    const DType d = DTypeOfSelf(o);
    return WordOf(kAs == 0 ? RealType(d) : ComplexType(d));
  });
}

PyMethodDef dtype_methods[] = {
    {"__reduce__", WordReduce, METH_NOARGS, nullptr},
    {"to_real", DTypeCast<0>, METH_NOARGS, "The dtype of this one's real part."},
    {"to_complex", DTypeCast<1>, METH_NOARGS, "The complex dtype whose parts have this one."},
    {}};

PyGetSetDef dtype_attributes[] = {
    {"itemsize", [](PyObject* o, void*) { return PyLong_FromSize_t(ItemSize(DTypeOfSelf(o))); },
     nullptr, "Bytes of one element.", nullptr},
    {"is_floating_point",
     [](PyObject* o, void*) { return PyBool_FromLong(IsFloating(DTypeOfSelf(o))); }, nullptr,
     nullptr, nullptr},
    {"is_complex", [](PyObject* o, void*) { return PyBool_FromLong(IsComplex(DTypeOfSelf(o))); },
     nullptr, nullptr, nullptr},
    {"is_signed", [](PyObject* o, void*) { return PyBool_FromLong(IsSigned(DTypeOfSelf(o))); },
     nullptr, nullptr, nullptr},
    {}};

// --- Devices.

PyObject* DeviceNew(PyTypeObject*, PyObject* args, PyObject* keywords) {
  return Guard([&]() -> PyObject* {
    PyObject *type = nullptr, *index = nullptr;
    static const char* names[] = {"type", "index", nullptr};
    if (PyArg_ParseTupleAndKeywords(args, keywords, "O|O", const_cast<char**>(names), &type,
                                    &index) == 0) {
      return nullptr;
    }
    Device d = DeviceOfObject(type);
    if (index != nullptr && index != Py_None) {
      if (d.index >= 0) {
        Throw(PyExc_RuntimeError,
              "type (string) must not include an index because index was "
              "passed explicitly: " +
                  d.str());
      }
      d.index = static_cast<int16_t>(IntOf(index));
    }
    return WrapDevice(d);
  });
}

Device DeviceOfSelf(PyObject* o) { return reinterpret_cast<PyDevice*>(o)->device; }

PyObject* DeviceRepr(PyObject* o) {
  const Device d = DeviceOfSelf(o);
  std::string s = "device(type='" + std::string(d.type.name()) + "'";
  if (d.index >= 0) s += ", index=" + std::to_string(d.index);
  return Text(s + ")");
}

PyObject* DeviceCompare(PyObject* a, PyObject* b, int op) {
  if (Py_TYPE(b) != device_type || (op != Py_EQ && op != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
  return PyBool_FromLong((DeviceOfSelf(a) == DeviceOfSelf(b)) == (op == Py_EQ));
}

PyObject* DeviceReduce(PyObject* o, PyObject*) {
  return Guard([&] {
    const Ref type = Ref::Of(reinterpret_cast<PyObject*>(device_type));
    return Checked(Py_BuildValue("O(s)", type.get(), DeviceOfSelf(o).str().c_str()));
  });
}

PyMethodDef device_methods[] = {{"__reduce__", DeviceReduce, METH_NOARGS, nullptr}, {}};
PyGetSetDef device_attributes[] = {
    {"type", [](PyObject* o, void*) { return Text(DeviceOfSelf(o).type.name()); }, nullptr,
     "The name of its kind: \"cpu\", \"cuda\".", nullptr},
    {"index",
     [](PyObject* o, void*) -> PyObject* {
       if (DeviceOfSelf(o).index < 0) Py_RETURN_NONE;
       return PyLong_FromLong(DeviceOfSelf(o).index);
     },
     nullptr, "Its number among those of its kind; None: the current one.", nullptr},
    {}};

// --- Sizes: tuples that print as torch's.

PyObject* SizeRepr(PyObject* o) {
  return Guard([&] {
    std::string s = "torch.Size([";
    for (Py_ssize_t i = 0; i < PyTuple_Size(o); ++i) {
      const Ref item = Own(PyObject_Repr(PyTuple_GetItem(o, i)));
      s += (i > 0 ? ", " : "") + std::string(TextOf(item.get()));
    }
    return Text(s + "])");
  });
}

PyObject* SizeFromTuple(PyObject* tuple) {
  const Py_ssize_t n = PyTuple_Size(tuple);
  PyObject* out = Checked(PyType_GenericAlloc(size_type, n));
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject* item = PyTuple_GetItem(tuple, i);
    Py_INCREF(item);
    PyTuple_SetItem(out, i, item);
  }
  return out;
}

PyObject* SizeNew(PyTypeObject*, PyObject* args, PyObject*) {
  return Guard([&]() -> PyObject* {
    if (PyTuple_Size(args) > 1) Throw(PyExc_TypeError, "Size() takes one sequence of integers");
    if (PyTuple_Size(args) == 0) return SizeOf({});
    const Ref list = Own(PySequence_Tuple(PyTuple_GetItem(args, 0)));
    std::vector<int64_t> sizes;
    for (Py_ssize_t i = 0; i < PyTuple_Size(list.get()); ++i) {
      sizes.push_back(IntOf(PyTuple_GetItem(list.get(), i)));
    }
    return SizeOf(sizes);
  });
}

// The slots of tuple whose results are to be Sizes.
PyObject* SizeConcat(PyObject* a, PyObject* b) {
  return Guard([&]() -> PyObject* {
    static const auto concat =
        reinterpret_cast<binaryfunc>(PyType_GetSlot(&PyTuple_Type, Py_sq_concat));
    const Ref sum = Own(concat(a, b));
    return SizeFromTuple(sum.get());
  });
}

PyObject* SizeSubscript(PyObject* o, PyObject* key) {
  static const auto subscript =
      reinterpret_cast<binaryfunc>(PyType_GetSlot(&PyTuple_Type, Py_mp_subscript));
  PyObject* part = subscript(o, key);
  if (part == nullptr || !PyTuple_Check(part)) return part;
  const Ref owned(part);
  return Guard([&] { return SizeFromTuple(owned.get()); });
}

PyObject* SizeNumel(PyObject* o, PyObject*) {
  return Guard([&] {
    int64_t n = 1;
    for (Py_ssize_t i = 0; i < PyTuple_Size(o); ++i) n *= IntOf(PyTuple_GetItem(o, i));
    return PyLong_FromLongLong(n);
  });
}

PyObject* SizeReduce(PyObject* o, PyObject*) {
  return Guard([&] {
    const Ref tuple = Own(PyTuple_GetSlice(o, 0, PyTuple_Size(o)));
    const Ref plain = Own(PySequence_List(tuple.get()));
    return Checked(Py_BuildValue("O(O)", reinterpret_cast<PyObject*>(size_type), plain.get()));
  });
}

PyMethodDef size_methods[] = {{"numel", SizeNumel, METH_NOARGS,
                               "The product: how many elements a tensor of these sizes has."},
                              {"__reduce__", SizeReduce, METH_NOARGS, nullptr},
                              {}};

// --- Generators.

const std::shared_ptr<Generator>& GeneratorOf(PyObject* o) {
  return reinterpret_cast<PyGenerator*>(o)->generator;
}

PyObject* WrapGenerator(std::shared_ptr<Generator> g) {
  auto* p = reinterpret_cast<PyGenerator*>(Checked(PyType_GenericAlloc(generator_type, 0)));
  new (&p->generator) std::shared_ptr<Generator>(std::move(g));
  return reinterpret_cast<PyObject*>(p);
}

PyObject* GeneratorNew(PyTypeObject*, PyObject* args, PyObject* keywords) {
  return Guard([&]() -> PyObject* {
    PyObject* device = nullptr;
    static const char* names[] = {"device", nullptr};
    if (PyArg_ParseTupleAndKeywords(args, keywords, "|O", const_cast<char**>(names), &device) ==
        0) {
      return nullptr;
    }
    return WrapGenerator(NewGenerator(device == nullptr ? kCpu : DeviceOfObject(device)));
  });
}

void FreeGenerator(PyObject* o) {
  PyTypeObject* type = Py_TYPE(o);
  reinterpret_cast<PyGenerator*>(o)->generator.~shared_ptr();
  PyObject_Free(o);
  Py_DECREF(type);
}

PyObject* GeneratorSeed(PyObject* o, PyObject* seed) {
  return Guard([&] {
    GeneratorOf(o)->manual_seed(static_cast<uint64_t>(NumberOf(seed).To<int64_t>()));
    Py_INCREF(o);
    return o;
  });
}

PyMethodDef generator_methods[] = {
    {"manual_seed", GeneratorSeed, METH_O, "Starts the stream that belongs to the seed."},
    {"seed",
     [](PyObject* o, PyObject*) {
       return Guard([&] { return PyLong_FromUnsignedLongLong(GeneratorOf(o)->seed()); });
     },
     METH_NOARGS, "Seeds itself from the operating system, and says with what."},
    {"initial_seed",
     [](PyObject* o, PyObject*) {
       return Guard([&] { return PyLong_FromUnsignedLongLong(GeneratorOf(o)->initial_seed()); });
     },
     METH_NOARGS, "The seed from which the stream started."},
    {"get_state",
     [](PyObject* o, PyObject*) {
       return Guard([&] { return Wrap(GeneratorOf(o)->get_state()); });
     },
     METH_NOARGS, "The state as a tensor of bytes."},
    {"set_state",
     [](PyObject* o, PyObject* state) {
       return Guard([&]() -> PyObject* {
         if (!IsTensor(state)) Throw(PyExc_TypeError, "set_state(): expected a tensor of bytes");
         GeneratorOf(o)->set_state(TensorOf(state));
         Py_INCREF(o);
         return o;
       });
     },
     METH_O, "Goes on from a state that get_state gave."},
    {"clone_state",
     [](PyObject* o, PyObject*) {
       return Guard([&] { return WrapGenerator(GeneratorOf(o)->clone_state()); });
     },
     METH_NOARGS, "Another generator in the same state."},
    {}};
PyGetSetDef generator_attributes[] = {
    {"device",
     [](PyObject* o, void*) { return Guard([&] { return WrapDevice(GeneratorOf(o)->device()); }); },
     nullptr, nullptr, nullptr},
    {}};

PyType_Slot dtype_slots[] = {{Py_tp_repr, reinterpret_cast<void*>(WordRepr)},
                             {Py_tp_methods, dtype_methods},
                             {Py_tp_getset, dtype_attributes},
                             {Py_tp_dealloc, reinterpret_cast<void*>(FreeWord)},
                             {}};
PyType_Slot word_slots[] = {{Py_tp_repr, reinterpret_cast<void*>(WordRepr)},
                            {Py_tp_methods, word_methods},
                            {Py_tp_dealloc, reinterpret_cast<void*>(FreeWord)},
                            {}};
constexpr unsigned kNotMade = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
PyType_Spec word_specs[] = {{"switchyard.dtype", sizeof(PyWord), 0, kNotMade, dtype_slots},
                            {"switchyard.layout", sizeof(PyWord), 0, kNotMade, word_slots},
                            {"switchyard.memory_format", sizeof(PyWord), 0, kNotMade, word_slots}};

PyType_Slot device_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(DeviceNew)},
    {Py_tp_repr, reinterpret_cast<void*>(DeviceRepr)},
    {Py_tp_str, reinterpret_cast<void*>(+[](PyObject* o) { return Text(DeviceOfSelf(o).str()); })},
    {Py_tp_richcompare, reinterpret_cast<void*>(DeviceCompare)},
    {Py_tp_hash, reinterpret_cast<void*>(+[](PyObject* o) -> Py_hash_t {
       return DeviceOfSelf(o).type.row * 4096 + DeviceOfSelf(o).index + 2;
     })},
    {Py_tp_methods, device_methods},
    {Py_tp_getset, device_attributes},
    {Py_tp_dealloc, reinterpret_cast<void*>(FreeWord)},
    {}};
PyType_Spec device_spec = {"switchyard.device", sizeof(PyDevice), 0, Py_TPFLAGS_DEFAULT,
                           device_slots};

PyType_Slot size_slots[] = {{Py_tp_new, reinterpret_cast<void*>(SizeNew)},
                            {Py_tp_repr, reinterpret_cast<void*>(SizeRepr)},
                            {Py_sq_concat, reinterpret_cast<void*>(SizeConcat)},
                            {Py_mp_subscript, reinterpret_cast<void*>(SizeSubscript)},
                            {Py_tp_methods, size_methods},
                            {}};
PyType_Spec size_spec = {"switchyard.Size", 0, 0, Py_TPFLAGS_DEFAULT, size_slots};

PyType_Slot generator_slots[] = {{Py_tp_new, reinterpret_cast<void*>(GeneratorNew)},
                                 {Py_tp_methods, generator_methods},
                                 {Py_tp_getset, generator_attributes},
                                 {Py_tp_dealloc, reinterpret_cast<void*>(FreeGenerator)},
                                 {}};
PyType_Spec generator_spec = {"switchyard.Generator", sizeof(PyGenerator), 0, Py_TPFLAGS_DEFAULT,
                              generator_slots};

template <class T>
void AddWord(PyObject* module, int kind, T value) {
  PyWord* w = PyObject_New(PyWord, word_types[kind]);
  if (w == nullptr) ThrowPython();
  w->value = Value(value);
  words[kind][static_cast<int>(value)] = reinterpret_cast<PyObject*>(w);
  if (PyModule_AddObjectRef(module, std::string(Name(value)).c_str(),
                            reinterpret_cast<PyObject*>(w)) < 0) {
    ThrowPython();
  }
}

PyObject* Another(PyObject* o) {
  Py_INCREF(o);
  return o;
}

}  // namespace

PyObject* WordOf(DType d) { return Another(words[0][static_cast<int>(d)]); }
PyObject* WordOf(Layout l) { return Another(words[1][static_cast<int>(l)]); }
PyObject* WordOf(MemoryFormat f) { return Another(words[2][static_cast<int>(f)]); }

PyObject* WrapDevice(Device d) {
  PyDevice* p = PyObject_New(PyDevice, device_type);
  if (p == nullptr) ThrowPython();
  p->device = d;
  return reinterpret_cast<PyObject*>(p);
}

DType DTypeOfObject(PyObject* o) {
  if (Py_TYPE(o) == word_types[0]) return DTypeOfSelf(o);
  if (o == reinterpret_cast<PyObject*>(&PyFloat_Type)) return DType::kFloat64;
  if (o == reinterpret_cast<PyObject*>(&PyLong_Type)) return DType::kInt64;
  if (o == reinterpret_cast<PyObject*>(&PyBool_Type)) return DType::kBool;
  if (o == reinterpret_cast<PyObject*>(&PyComplex_Type)) return DType::kComplex128;
  if (PyUnicode_Check(o)) {
    if (const auto d = FindDType(TextOf(o))) return *d;
  }
  const Ref text = Own(PyObject_Repr(o));
  Throw(PyExc_TypeError, "expected a dtype, got " + std::string(TextOf(text.get())));
}

Device DeviceOfName(std::string_view name) {
  return NotFoundAs(ErrorCode::kInvalidArgument, [&] { return ParseDevice(name); });
}

Device DeviceOfObject(PyObject* o) {
  if (Py_TYPE(o) == device_type) return DeviceOfSelf(o);
  if (PyUnicode_Check(o)) return DeviceOfName(TextOf(o));
  if (PyLong_Check(o)) {
    const DeviceType type = HasAccelerator() ? CurrentAccelerator().type : FindDeviceType("cuda");
    return {type, static_cast<int16_t>(IntOf(o))};
  }
  Throw(PyExc_TypeError, "expected a device, its name or its number");
}

PyObject* TupleOf(IntSpan numbers) {
  PyObject* t = Checked(PyTuple_New(static_cast<Py_ssize_t>(numbers.size())));
  for (size_t i = 0; i < numbers.size(); ++i) {
    PyTuple_SetItem(t, static_cast<Py_ssize_t>(i), PyLong_FromLongLong(numbers[i]));
  }
  return t;
}

PyObject* SizeOf(IntSpan sizes) {
  PyObject* t = Checked(PyType_GenericAlloc(size_type, static_cast<Py_ssize_t>(sizes.size())));
  for (size_t i = 0; i < sizes.size(); ++i) {
    PyTuple_SetItem(t, static_cast<Py_ssize_t>(i), PyLong_FromLongLong(sizes[i]));
  }
  return t;
}

void InitWords(PyObject* module) {
  for (int i = 0; i < 3; ++i) word_types[i] = AddType(module, &word_specs[i]);
  device_type = AddType(module, &device_spec);
  size_type = AddType(module, &size_spec, reinterpret_cast<PyObject*>(&PyTuple_Type));
  generator_type = AddType(module, &generator_spec);
  for (int i = 0; i < kNumDTypes; ++i) AddWord(module, 0, static_cast<DType>(i));
  for (const Layout l : {Layout::kStrided, Layout::kSparse, Layout::kSparseCsr, Layout::kSparseCsc,
                         Layout::kSparseBsr, Layout::kSparseBsc}) {
    AddWord(module, 1, l);
  }
  for (const MemoryFormat f : {MemoryFormat::kContiguous, MemoryFormat::kPreserve,
                               MemoryFormat::kChannelsLast, MemoryFormat::kChannelsLast3d}) {
    AddWord(module, 2, f);
  }
  // The default one is the runtime's: shared, not owned.
  const Ref standard(
      WrapGenerator(std::shared_ptr<Generator>(std::shared_ptr<Generator>(), &DefaultGenerator())));
  if (PyModule_AddObjectRef(module, "default_generator", standard.get()) < 0) ThrowPython();
}

}  // namespace sy::python
