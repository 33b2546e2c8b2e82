// Files: checkpoints as Python's values, and files of named tensors.
//
// What a checkpoint holds becomes dicts, lists, numbers and tensors, each made here by its kind;
// nothing that a file names is looked up. Other threads run while files are read and written.

#include <array>
#include <complex>
#include <optional>
#include <unordered_map>

#include "python/core/python.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/core/error.h"
#include "switchyard/io/checkpoint.h"
#include "switchyard/io/tensor_file.h"
#include "switchyard/io/write_tensors.h"
#include "switchyard/ops.h"

namespace sy::python {
namespace {

using Id = Tree::Id;
using Kind = Tree::Kind;
using Variant = Tree::Variant;

Ref Named(const char* module, const char* name) {
  const Ref found = Own(PyImport_ImportModule(module));
  return Own(PyObject_GetAttrString(found.get(), name));
}

// --- Objects of a tree.

class Objects {
 public:
  // What one value is in the tree is one object.
  Ref Of(const Tree::Value& v) {
    if (const auto known = made_.find(v.id()); known != made_.end())
      return Ref::Of(known->second.get());
    Ref made = Make(v);
    made_.emplace(v.id(), Ref::Of(made.get()));
    return made;
  }

 private:
  Ref Make(const Tree::Value& v) {
    switch (v.kind()) {
      case Kind::kNone:
        return Ref::Of(Py_None);
      case Kind::kBool:
        return Own(PyBool_FromLong(v.boolean()));
      case Kind::kInt:
        return Own(PyLong_FromLongLong(v.integer()));
      case Kind::kBigInt: {
        const Ref bytes = Bytes(v.text());
        const Ref from_bytes =
            Own(PyObject_GetAttrString(reinterpret_cast<PyObject*>(&PyLong_Type), "from_bytes"));
        const Ref args = Own(Py_BuildValue("(Os)", bytes.get(), "little"));
        const Ref keywords = Own(Py_BuildValue("{sO}", "signed", Py_True));
        return Own(PyObject_Call(from_bytes.get(), args.get(), keywords.get()));
      }
      case Kind::kFloat:
        return Own(PyFloat_FromDouble(v.number()));
      case Kind::kComplex:
        return Own(PyComplex_FromDoubles(v.complex().real(), v.complex().imag()));
      case Kind::kText:
        return Own(Text(v.text()));
      case Kind::kBytes:
        if (v.variant() != Variant::kByteArray) return Bytes(v.text());
        return Own(PyByteArray_FromStringAndSize(v.text().data(),
                                                 static_cast<Py_ssize_t>(v.text().size())));
      case Kind::kList:
        return List(v);
      case Kind::kTuple: {
        const Ref list = List(v);
        Ref tuple = Own(PyList_AsTuple(list.get()));
        return v.variant() == Variant::kSize ? Called(size_type, tuple.get()) : std::move(tuple);
      }
      case Kind::kSet: {
        const Ref list = List(v);
        return Own(v.variant() == Variant::kFrozenSet ? PyFrozenSet_New(list.get())
                                                      : PySet_New(list.get()));
      }
      case Kind::kDict:
        return Dict(v);
      case Kind::kTensor:
        return OfTensor(v);
      case Kind::kDType:
        return Own(WordOf(v.dtype()));
      case Kind::kDevice: {
        const Ref name = Own(Text(v.text()));
        return Own(WrapDevice(DeviceOfObject(name.get())));
      }
    }
    Fail(ErrorCode::kInternal, "a value of a checkpoint is of no kind");
  }

  static Ref Bytes(const std::string& s) {
    return Own(PyBytes_FromStringAndSize(s.data(), static_cast<Py_ssize_t>(s.size())));
  }

  static Ref Called(PyTypeObject* type, PyObject* argument) {
    return Own(PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(type), argument, nullptr));
  }

  Ref List(const Tree::Value& v) {
    Ref list = Own(PyList_New(0));
    for (size_t i = 0; i < v.size(); ++i) {
      const Ref entry = Of(v.at(i));
      if (PyList_Append(list.get(), entry.get()) < 0) ThrowPython();
    }
    return list;
  }

  Ref Dict(const Tree::Value& v) {
    Ref dict;
    if (v.variant() == Variant::kPlain) {
      dict = Own(PyDict_New());
    } else {
      const Ref type =
          Named("collections", v.variant() == Variant::kCounter ? "Counter" : "OrderedDict");
      dict = Own(PyObject_CallNoArgs(type.get()));
    }
    for (size_t i = 0; i < v.size(); ++i) {
      const Ref key = Of(v.key(i)), value = Of(v.at(i));
      // OrderedDict keeps an order of its own: PyDict_SetItem would pass it by.
      if (PyObject_SetItem(dict.get(), key.get(), value.get()) < 0) ThrowPython();
    }
    return dict;
  }

  static Ref OfTensor(const Tree::Value& v) {
    Tensor t = v.tensor();
    if (v.variant() == Variant::kParameter) {
      const Ref type = Named("switchyard.nn", "Parameter");
      const Ref data = Own(Wrap(std::move(t)));
      return Own(PyObject_CallFunctionObjArgs(type.get(), data.get(),
                                              v.requires_grad() ? Py_True : Py_False, nullptr));
    }
    if (v.requires_grad()) requires_grad_(t);
    return Own(Wrap(std::move(t)));
  }

  std::unordered_map<Id, Ref> made_;
};

// --- A tree of objects.

// What no checkpoint holds as data: objects of classes, what contains itself.
struct NotData {};

class TreeBuilder {
 public:
  Tree Build(PyObject* root) {
    ordered_ = Named("collections", "OrderedDict");
    counter_ = Named("collections", "Counter");
    tree_.SetRoot(Add(root, 0));
    return std::move(tree_);
  }

 private:
  static constexpr int kMostLevels = 200;  // as the file's readers have it

  // An object that several places hold is one value.
  Id Add(PyObject* o, int level) {
    if (level > kMostLevels) throw NotData();
    if (const auto known = known_.find(o); known != known_.end()) return known->second;
    const Id id = AddNew(o, level);
    known_.emplace(o, id);
    return id;
  }

  // Types exactly: a class of the program's own is no data.
  Id AddNew(PyObject* o, int level) {
    PyTypeObject* type = Py_TYPE(o);
    auto* of_type = reinterpret_cast<PyObject*>(type);
    if (o == Py_None) return tree_.None();
    if (PyBool_Check(o)) return tree_.Bool(o == Py_True);
    if (PyLong_CheckExact(o)) return AddInt(o);
    if (type == &PyFloat_Type) return tree_.Float(PyFloat_AsDouble(o));
    if (PyComplex_CheckExact(o))
      return tree_.Complex({PyComplex_RealAsDouble(o), PyComplex_ImagAsDouble(o)});
    if (PyUnicode_CheckExact(o)) return tree_.Text(std::string(TextOf(o)));
    if (PyBytes_CheckExact(o)) {
      char* data = nullptr;
      Py_ssize_t n = 0;
      if (PyBytes_AsStringAndSize(o, &data, &n) < 0) ThrowPython();
      return tree_.Bytes(std::string(data, static_cast<size_t>(n)));
    }
    if (PyByteArray_CheckExact(o)) {
      return As(Variant::kByteArray,
                tree_.Bytes(std::string(PyByteArray_AsString(o),
                                        static_cast<size_t>(PyByteArray_Size(o)))));
    }
    if (PyList_CheckExact(o)) return tree_.List(Entries(o, level));
    if (PyTuple_CheckExact(o)) return tree_.Tuple(Entries(o, level));
    if (type == size_type) return As(Variant::kSize, tree_.Tuple(Entries(o, level)));
    if (type == &PySet_Type) return tree_.Set(Entries(o, level));
    if (type == &PyFrozenSet_Type) return As(Variant::kFrozenSet, tree_.Set(Entries(o, level)));
    if (PyDict_CheckExact(o)) return AddDict(o, level);
    if (of_type == ordered_.get()) return As(Variant::kOrderedDict, AddDict(o, level));
    if (of_type == counter_.get()) return As(Variant::kCounter, AddDict(o, level));
    if (IsTensor(o)) return AddTensor(o);
    if (type == word_types[0]) return tree_.Of(DTypeOfObject(o));
    if (type == device_type) return tree_.DeviceNamed(reinterpret_cast<PyDevice*>(o)->device.str());
    throw NotData();
  }

  Id As(Variant variant, Id id) {
    tree_.SetVariant(id, variant);
    return id;
  }

  Id AddInt(PyObject* o) {
    int overflow = 0;
    const int64_t n = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (overflow == 0) return tree_.Int(n);
    const Ref bits = Own(PyObject_CallMethod(o, "bit_length", nullptr));
    const Ref to_bytes = Own(PyObject_GetAttrString(o, "to_bytes"));
    const Ref args = Own(Py_BuildValue("(Ls)", IntOf(bits.get()) / 8 + 1, "little"));
    const Ref keywords = Own(Py_BuildValue("{sO}", "signed", Py_True));
    const Ref bytes = Own(PyObject_Call(to_bytes.get(), args.get(), keywords.get()));
    return tree_.BigInt(
        std::string(PyBytes_AsString(bytes.get()), static_cast<size_t>(PyBytes_Size(bytes.get()))));
  }

  std::vector<Id> Entries(PyObject* o, int level) {
    held_.push_back(Own(PySequence_Tuple(o)));  // objects of one address are one object
    PyObject* entries = held_.back().get();
    std::vector<Id> ids;
    for (Py_ssize_t i = 0; i < PyTuple_Size(entries); ++i) {
      ids.push_back(Add(PyTuple_GetItem(entries, i), level + 1));
    }
    return ids;
  }

  Id AddDict(PyObject* o, int level) {
    const Id dict = tree_.Dict();
    held_.push_back(Own(PyObject_CallMethod(o, "items", nullptr)));
    held_.push_back(Own(PySequence_Tuple(held_.back().get())));
    PyObject* items = held_.back().get();
    for (Py_ssize_t i = 0; i < PyTuple_Size(items); ++i) {
      PyObject* item = PyTuple_GetItem(items, i);
      const Id key = Add(PyTuple_GetItem(item, 0), level + 1);
      tree_.Insert(dict, key, Add(PyTuple_GetItem(item, 1), level + 1));
    }
    return dict;
  }

  Id AddTensor(PyObject* o) {
    const Tensor& t = TensorOf(o);
    const bool plain = Py_TYPE(o) == tensor_type;
    if (!plain) {
      const Ref parameter = Named("switchyard.nn", "Parameter");
      if (reinterpret_cast<PyObject*>(Py_TYPE(o)) != parameter.get()) throw NotData();
      const Ref own = Own(PyObject_GetAttrString(o, "__dict__"));
      if (PyDict_Size(own.get()) != 0) throw NotData();
    }
    const Id id = tree_.Of(t);
    tree_.SetRequiresGrad(id, requires_grad(t));
    return plain ? id : As(Variant::kParameter, id);
  }

  Tree tree_;
  std::unordered_map<PyObject*, Id> known_;
  std::vector<Ref> held_;
  Ref ordered_, counter_;
};

// --- Functions.

// Lets Python's handlers of signals run, now and then; what they raise ends the writing.
void BetweenPieces(uint64_t, uint64_t) {
  const WithGil gil;
  if (PyErr_CheckSignals() < 0) ThrowPython();
}

LoadOptions OptionsOf(PyObject* device, int mapped) {
  LoadOptions options;
  if (device != Py_None) options.device = DeviceOfObject(device);
  options.copy = mapped == 0;
  return options;
}

Ref DictOf(NamedTensors tensors) {
  Ref dict = Own(PyDict_New());
  for (auto& [name, t] : tensors) {
    const Ref key = Own(Text(name)), value = Own(Wrap(std::move(t)));
    if (PyDict_SetItem(dict.get(), key.get(), value.get()) < 0) ThrowPython();
  }
  return dict;
}

// _read_file(path, device, mapped): a checkpoint's values; of a .npy file the tensor; of other
// files a dict of tensors.
PyObject* ReadFile(PyObject*, PyObject* args) {
  return Guard([&]() -> PyObject* {
    const char* path = nullptr;
    PyObject* device = nullptr;
    int mapped = 0;
    if (PyArg_ParseTuple(args, "sOp", &path, &device, &mapped) == 0) return nullptr;
    const LoadOptions options = OptionsOf(device, mapped);
    std::optional<Tree> checkpoint;
    FileFormat format = FileFormat::kCheckpoint;
    NamedTensors tensors;
    {
      const WithoutGil away(true);
      checkpoint = ReadIfCheckpoint(path, options);
      if (!checkpoint) {
        const TensorFile file(path, options);
        format = file.format();
        tensors = file.All();
      }
    }
    if (checkpoint) return Objects().Of(checkpoint->root()).release();
    if (format == FileFormat::kNpy) return Wrap(std::move(tensors.at(0).second));
    return DictOf(std::move(tensors)).release();
  });
}

// _write_checkpoint(path, object): False, and nothing written, where it is more than data.
PyObject* WriteCheckpointFunction(PyObject*, PyObject* args) {
  return Guard([&]() -> PyObject* {
    const char* path = nullptr;
    PyObject* object = nullptr;
    if (PyArg_ParseTuple(args, "sO", &path, &object) == 0) return nullptr;
    try {
      const Tree tree = TreeBuilder().Build(object);
      const WithoutGil away(true);
      WriteCheckpoint(path, tree, BetweenPieces);
    } catch (const NotData&) {
      Py_RETURN_FALSE;
    }
    Py_RETURN_TRUE;
  });
}

struct FormatName {
  std::string_view name;
  FileFormat format;
};
constexpr std::array kFormatNames = {
    FormatName{"safetensors", FileFormat::kSafetensors}, FormatName{"npy", FileFormat::kNpy},
    FormatName{"npz", FileFormat::kNpz}, FormatName{"checkpoint", FileFormat::kCheckpoint}};

// _write_tensors(path, tensors, format, metadata): dicts; format and metadata may be None.
PyObject* WriteTensorsFunction(PyObject*, PyObject* args) {
  return Guard([&]() -> PyObject* {
    const char *path = nullptr, *format = nullptr;
    PyObject *dict = nullptr, *metadata = nullptr;
    if (PyArg_ParseTuple(args, "sO!zO", &path, &PyDict_Type, &dict, &format, &metadata) == 0)
      return nullptr;
    WriteOptions options;
    options.progress = BetweenPieces;
    if (format != nullptr) {
      for (const FormatName& f : kFormatNames) {
        if (f.name == format) options.format = f.format;
      }
      if (!options.format) {
        Throw(PyExc_ValueError,
              "format: expected 'safetensors', 'npy', 'npz' or 'checkpoint', "
              "got '" +
                  std::string(format) + "'");
      }
    }
    const auto for_each = [](PyObject* of, auto f) {
      PyObject *key = nullptr, *value = nullptr;
      for (Py_ssize_t at = 0; PyDict_Next(of, &at, &key, &value) != 0;) {
        if (!PyUnicode_Check(key)) Throw(PyExc_TypeError, "expected a dict with texts for keys");
        f(std::string(TextOf(key)), value);
      }
    };
    NamedTensors tensors;
    for_each(dict, [&](std::string name, PyObject* value) {
      if (!IsTensor(value)) {
        Throw(PyExc_TypeError, "expected a dict of tensors; '" + name + "' is none");
      }
      tensors.emplace_back(std::move(name), detach(TensorOf(value)));
    });
    if (metadata != Py_None) {
      if (!PyDict_Check(metadata)) Throw(PyExc_TypeError, "metadata: expected a dict of texts");
      for_each(metadata, [&](std::string name, PyObject* value) {
        if (!PyUnicode_Check(value)) Throw(PyExc_TypeError, "metadata: expected a dict of texts");
        options.metadata.emplace_back(std::move(name), TextOf(value));
      });
    }
    {
      const WithoutGil away(true);
      WriteTensors(path, tensors, options);
    }
    Py_RETURN_NONE;
  });
}

// --- TensorFile, with a file's names and tensors one by one.

struct PyFile {
  PyObject_HEAD std::shared_ptr<const TensorFile> file;
};
const TensorFile& FileOf(PyObject* o) { return *reinterpret_cast<PyFile*>(o)->file; }

PyObject* FileNew(PyTypeObject* type, PyObject* args, PyObject* keywords) {
  return Guard([&]() -> PyObject* {
    const char* path = nullptr;
    PyObject* device = Py_None;
    int mapped = 1;
    static const char* names[] = {"path", "device", "mmap", nullptr};
    if (PyArg_ParseTupleAndKeywords(args, keywords, "s|Op", const_cast<char**>(names), &path,
                                    &device, &mapped) == 0) {
      return nullptr;
    }
    const LoadOptions options = OptionsOf(device, mapped);
    std::shared_ptr<const TensorFile> file;
    try {
      const WithoutGil away(true);
      file = std::make_shared<const TensorFile>(path, options);
    } catch (const Error& e) {
      if (e.code() != ErrorCode::kNotFound) throw;
      // Who has no such file is told so as by open.
      const Ref open = Named("io", "open");
      const Ref opened = Own(PyObject_CallFunction(open.get(), "ss", path, "rb"));
      Fail(ErrorCode::kUnavailable, e.message());  // which is there by now
    }
    auto* p = reinterpret_cast<PyFile*>(Checked(PyType_GenericAlloc(type, 0)));
    new (&p->file) std::shared_ptr<const TensorFile>(std::move(file));
    return reinterpret_cast<PyObject*>(p);
  });
}

void FileFree(PyObject* o) {
  PyTypeObject* type = Py_TYPE(o);
  reinterpret_cast<PyFile*>(o)->file.~shared_ptr();
  PyObject_Free(o);
  Py_DECREF(type);
}

const TensorInfo& InfoOf(PyObject* o, PyObject* name) {
  const TensorInfo* info = FileOf(o).Find(TextOf(name));
  if (info == nullptr) {
    PyErr_SetObject(PyExc_KeyError, name);
    ThrowPython();
  }
  return *info;
}

PyObject* FileKeys(PyObject* o, PyObject*) {
  return Guard([&] {
    Ref list = Own(PyList_New(0));
    for (const TensorInfo& t : FileOf(o).tensors()) {
      const Ref name = Own(Text(t.name));
      if (PyList_Append(list.get(), name.get()) < 0) ThrowPython();
    }
    return list.release();
  });
}

PyObject* FileMetadata(PyObject* o, PyObject*) {
  return Guard([&] {
    Ref dict = Own(PyDict_New());
    for (const auto& [key, text] : FileOf(o).metadata()) {
      const Ref k = Own(Text(key)), v = Own(Text(text));
      if (PyDict_SetItem(dict.get(), k.get(), v.get()) < 0) ThrowPython();
    }
    return dict.release();
  });
}

PyObject* FileInfo(PyObject* o, PyObject* name) {
  return Guard([&] {
    const TensorInfo& t = InfoOf(o, name);
    const Ref dtype = t.dtype ? Own(WordOf(*t.dtype)) : Ref::Of(Py_None);
    const Ref sizes = Own(SizeOf(t.sizes));
    return Checked(
        Py_BuildValue("(OOsK)", dtype.get(), sizes.get(), t.type.c_str(),
                      static_cast<unsigned long long>(t.bytes)));  // NOLINT(google-runtime-int)
  });
}

PyObject* FileGet(PyObject* o, PyObject* name) {
  return Guard([&] {
    const std::string key = InfoOf(o, name).name;
    Tensor t;
    {
      const WithoutGil away(true);
      t = FileOf(o).Get(key);
    }
    return Wrap(std::move(t));
  });
}

PyObject* FileSlice(PyObject* o, PyObject* args) {
  return Guard([&]() -> PyObject* {
    PyObject* name = nullptr;
    long long dim = 0, begin = 0, end = 0;  // NOLINT(google-runtime-int)
    if (PyArg_ParseTuple(args, "OLLL", &name, &dim, &begin, &end) == 0) return nullptr;
    const std::string key = InfoOf(o, name).name;
    Tensor t;
    {
      const WithoutGil away(true);
      t = FileOf(o).Slice(key, dim, begin, end);
    }
    return Wrap(std::move(t));
  });
}

PyMethodDef file_methods[] = {
    {"keys", FileKeys, METH_NOARGS, "The names of its tensors, in the file's order."},
    {"metadata", FileMetadata, METH_NOARGS, "What else the file says, as texts."},
    {"info", FileInfo, METH_O,
     "info(name): (dtype or None, sizes, the format's own word, bytes); nothing is read."},
    {"get", FileGet, METH_O, "get(name): the tensor."},
    {"slice", FileSlice, METH_VARARGS,
     "slice(name, dim, begin, end): these positions of one dimension; the rest is not read."},
    {}};
PyGetSetDef file_attributes[] = {
    {"format",
     [](PyObject* o, void*) { return Guard([&] { return Text(Name(FileOf(o).format())); }); },
     nullptr, "\"safetensors\", \"npy\", \"npz\", \"checkpoint\", …", nullptr},
    {}};
PyType_Slot file_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(FileNew)},
    {Py_tp_dealloc, reinterpret_cast<void*>(FileFree)},
    {Py_tp_methods, file_methods},
    {Py_tp_getset, file_attributes},
    {Py_tp_doc, const_cast<char*>("TensorFile(path, device=None, mmap=True): a file of named "
                                  "tensors, of which nothing is read before it is asked for.")},
    {}};
PyType_Spec file_spec = {"switchyard.TensorFile", sizeof(PyFile), 0, Py_TPFLAGS_DEFAULT,
                         file_slots};

PyMethodDef functions[] = {{"_read_file", ReadFile, METH_VARARGS, nullptr},
                           {"_write_checkpoint", WriteCheckpointFunction, METH_VARARGS, nullptr},
                           {"_write_tensors", WriteTensorsFunction, METH_VARARGS, nullptr},
                           {}};

}  // namespace

void InitFiles(PyObject* module) {
  AddType(module, &file_spec);
  AddFunctions(module, functions);
}

}  // namespace sy::python
