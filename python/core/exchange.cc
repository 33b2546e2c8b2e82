// Tensors to and from other libraries: DLPack, and Python's buffers.

#include <array>
#include <cstring>

#include "python/core/python.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/core/dlpack.h"
#include "switchyard/core/error.h"
#include "switchyard/ops.h"
#include "third_party/dlpack/dlpack_v1.h"

namespace sy::python {
namespace {

// --- DLPack.

template <class T>
void FreeCapsule(PyObject* capsule, const char* name) {
  if (PyCapsule_IsValid(capsule, name) == 0) return;  // somebody has taken it
  auto* managed = static_cast<T*>(PyCapsule_GetPointer(capsule, name));
  if (managed != nullptr && managed->deleter != nullptr) managed->deleter(managed);
}
constexpr const char* kPlain = "dltensor";
constexpr const char* kVersioned = "dltensor_versioned";
constexpr uint64_t kIsCopied = 1 << 1;  // DLPACK_FLAG_BITMASK_IS_COPIED of DLPack 1
void FreePlain(PyObject* c) { FreeCapsule<DLManagedTensor>(c, kPlain); }
void FreeVersioned(PyObject* c) { FreeCapsule<DLManagedTensorVersioned>(c, kVersioned); }

void RequireExportable(const Tensor& t) {
  if (requires_grad(t)) {
    Throw(PyExc_BufferError, "Can't export tensors that require gradient, use tensor.detach()");
  }
  if (t.is_conj() || t.is_neg()) {
    Throw(PyExc_BufferError,
          "Can't export tensors with the conjugate or negative bit set, use "
          "tensor.resolve_conj() or tensor.resolve_neg()");
  }
}

DLDevice DlDeviceOf(const Tensor& t) {
  DLManagedTensor* managed = ToDlpackUnversioned(detach(t));
  const DLDevice device = managed->dl_tensor.device;
  managed->deleter(managed);
  return device;
}

// __dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None)
PyObject* ToDl(PyObject* self, PyObject* args, PyObject* keywords) {
  return Guard([&]() -> PyObject* {
    PyObject *stream = Py_None, *version = Py_None, *device = Py_None, *copy = Py_None;
    static const char* names[] = {"stream", "max_version", "dl_device", "copy", nullptr};
    if (PyArg_ParseTupleAndKeywords(args, keywords, "|$OOOO", const_cast<char**>(names), &stream,
                                    &version, &device, &copy) == 0) {
      return nullptr;
    }
    Tensor t = TensorOf(self);
    RequireExportable(t);
    bool copied = copy == Py_True;
    if (device != Py_None) {
      const DLDevice own = DlDeviceOf(t);
      const std::vector<int64_t> wanted = IntsOf(device);
      if (wanted.size() != 2) Throw(PyExc_ValueError, "dl_device is (type, number)");
      if (wanted[0] != int64_t{own.device_type} || wanted[1] != own.device_id) {
        if (wanted[0] != kDLCPU || copy == Py_False) {
          Throw(PyExc_BufferError,
                "the tensor is on " + t.device().str() + ", and is exported from there" +
                    (copy == Py_False ? ": copy=False" : ", or as a copy on the host"));
        }
        t = t.to(kCpu);
        copied = true;
      }
    }
    if (copied && t.is_same(TensorOf(self))) t = clone(t);
    const bool new_one =
        version != Py_None && PyTuple_Check(version) && IntOf(PyTuple_GetItem(version, 0)) >= 1;
    if (!new_one) return Checked(PyCapsule_New(ToDlpackUnversioned(t), kPlain, FreePlain));
    DLManagedTensorVersioned* managed = ToDlpack(t);
    if (copied) managed->flags |= kIsCopied;
    return Checked(PyCapsule_New(managed, kVersioned, FreeVersioned));
  });
}

PyObject* DlDevice(PyObject* self, PyObject*) {
  return Guard([&]() -> PyObject* {
    const DLDevice device = DlDeviceOf(TensorOf(self));
    return Checked(Py_BuildValue("(ii)", static_cast<int>(device.device_type),
                                 static_cast<int>(device.device_id)));
  });
}

// _from_dlpack(capsule): takes it.
PyObject* FromDl(PyObject*, PyObject* capsule) {
  return Guard([&]() -> PyObject* {
    if (PyCapsule_IsValid(capsule, kVersioned) != 0) {
      auto* m = static_cast<DLManagedTensorVersioned*>(PyCapsule_GetPointer(capsule, kVersioned));
      PyCapsule_SetName(capsule, "used_dltensor_versioned");
      return Wrap(FromDlpack(m));
    }
    if (PyCapsule_IsValid(capsule, kPlain) != 0) {
      auto* m = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, kPlain));
      PyCapsule_SetName(capsule, "used_dltensor");
      return Wrap(FromDlpack(m));
    }
    Throw(PyExc_ValueError, "expected a DLPack capsule, each of which can be taken once");
  });
}

// --- Buffers.

const char* FormatOf(DType d) {
  switch (d) {
    case DType::kBool:
      return "?";
    case DType::kUInt8:
      return "B";
    case DType::kInt8:
      return "b";
    case DType::kInt16:
      return "h";
    case DType::kInt32:
      return "i";
    case DType::kInt64:  // as arrays of NumPy's int64 say it, whose longlong is another type
      return sizeof(long) == sizeof(int64_t) ? "l" : "q";  // NOLINT(google-runtime-int)
    case DType::kUInt16:
      return "H";
    case DType::kUInt32:
      return "I";
    case DType::kUInt64:
      return sizeof(long) == sizeof(int64_t) ? "L" : "Q";  // NOLINT(google-runtime-int)
    case DType::kFloat16:
      return "e";
    case DType::kFloat32:
      return "f";
    case DType::kFloat64:
      return "d";
    case DType::kComplex64:
      return "Zf";
    case DType::kComplex128:
      return "Zd";
    default:
      return nullptr;
  }
}

struct Format {
  const char* text;
  DType dtype;
};
constexpr std::array kFormats = {Format{"?", DType::kBool},        Format{"B", DType::kUInt8},
                                 Format{"c", DType::kUInt8},       Format{"b", DType::kInt8},
                                 Format{"h", DType::kInt16},       Format{"i", DType::kInt32},
                                 Format{"l", DType::kInt64},       Format{"q", DType::kInt64},
                                 Format{"n", DType::kInt64},       Format{"H", DType::kUInt16},
                                 Format{"I", DType::kUInt32},      Format{"L", DType::kUInt64},
                                 Format{"Q", DType::kUInt64},      Format{"N", DType::kUInt64},
                                 Format{"e", DType::kFloat16},     Format{"f", DType::kFloat32},
                                 Format{"d", DType::kFloat64},     Format{"Zf", DType::kComplex64},
                                 Format{"Zd", DType::kComplex128}, Format{"F", DType::kComplex64},
                                 Format{"D", DType::kComplex128}};

// Of this machine's byte order alone.
DType DTypeOfBuffer(const Py_buffer& b) {
  std::string_view format = b.format == nullptr ? "B" : b.format;
  if (!format.empty() && (format[0] == '@' || format[0] == '=' || format[0] == '<')) {
    format.remove_prefix(1);
  }
  for (const Format& f : kFormats) {
    if (format == f.text && static_cast<Py_ssize_t>(ItemSize(f.dtype)) == b.itemsize)
      return f.dtype;
  }
  Throw(PyExc_TypeError,
        "no tensor has elements of the buffer's format '" + std::string(format) + "'");
}

// A buffer, released in whatever thread lets go last.
std::shared_ptr<Py_buffer> KeepBuffer(PyObject* o) {
  auto buffer = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(o, buffer.get(), PyBUF_FULL_RO) < 0) ThrowPython();
  return {buffer.release(), [](Py_buffer* b) {
            if (Py_IsInitialized() != 0) {
              const WithGil gil;
              PyBuffer_Release(b);
            }
            delete b;
          }};
}

bool IsShareable(const Py_buffer& b) {
  if (b.readonly != 0 || b.suboffsets != nullptr) return false;
  for (int i = 0; i < b.ndim; ++i) {
    if (b.strides[i] < 0 || b.strides[i] % b.itemsize != 0) return false;
  }
  return b.ndim <= static_cast<int>(kMaxRank) &&
         reinterpret_cast<uintptr_t>(b.buf) % static_cast<uintptr_t>(b.itemsize) == 0;
}

// Its memory where that may be written and lies as tensors do; otherwise a copy.
Tensor OfBuffer(PyObject* o, bool share) {
  const std::shared_ptr<Py_buffer> b = KeepBuffer(o);
  const DType d = DTypeOfBuffer(*b);
  std::vector<int64_t> sizes(b->shape, b->shape + b->ndim);
  if (share && IsShareable(*b)) {
    std::vector<int64_t> strides;
    strides.reserve(sizes.size());
    for (int i = 0; i < b->ndim; ++i) strides.push_back(b->strides[i] / b->itemsize);
    return Tensor::FromBlob(b->buf, sizes, strides, d, [b] { /* it goes with the last view */ });
  }
  Tensor t = Tensor::Empty(sizes, d);
  if (b->len > 0 && PyBuffer_ToContiguous(t.data(), b.get(), b->len, 'C') < 0) ThrowPython();
  return t;
}

// _from_buffer(object): shares memory where it can; sharing: whether it must.
PyObject* FromBufferFunction(PyObject*, PyObject* args) {
  return Guard([&]() -> PyObject* {
    PyObject* o = nullptr;
    int must = 0;
    if (PyArg_ParseTuple(args, "Op", &o, &must) == 0) return nullptr;
    if (must != 0) {
      const std::shared_ptr<Py_buffer> b = KeepBuffer(o);
      if (!IsShareable(*b)) {
        Throw(PyExc_BufferError,
              "the buffer is read-only, or its strides are none that tensors have");
      }
    }
    return Wrap(OfBuffer(o, true));
  });
}

PyMethodDef functions[] = {{"_from_dlpack", FromDl, METH_O, nullptr},
                           {"_from_buffer", FromBufferFunction, METH_VARARGS, nullptr},
                           {}};

}  // namespace

Tensor FromBuffer(PyObject* o) {
  if (PyObject_CheckBuffer(o) == 0) return {};
  return OfBuffer(o, true);
}

int GetBuffer(PyObject* self, Py_buffer* buffer, int flags) {
  const Tensor& t = TensorOf(self);
  const char* format = FormatOf(t.dtype());
  const char* refusal = nullptr;
  if (format == nullptr) refusal = "no buffer format stands for this dtype; DLPack has it";
  if (!t.is_host()) refusal = "the tensor is not in the host's memory: use tensor.cpu()";
  if (t.is_conj() || t.is_neg()) refusal = "use tensor.resolve_conj() or tensor.resolve_neg()";
  if (t.is_quantized()) refusal = "use tensor.int_repr() or tensor.dequantize()";
  if (requires_grad(t)) refusal = "the tensor requires grad: use tensor.detach()";
  if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !t.is_contiguous()) {
    refusal = "the tensor is not contiguous";
  }
  const bool fortran = (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS &&
                       (flags & PyBUF_ANY_CONTIGUOUS) != PyBUF_ANY_CONTIGUOUS;
  if (fortran && t.dim() > 1) refusal = "the tensor is not Fortran-contiguous";
  if ((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS && !t.is_contiguous()) {
    refusal = "the tensor is not contiguous";
  }
  if (refusal != nullptr) {
    PyErr_SetString(PyExc_BufferError, refusal);
    return -1;
  }
  const auto n = static_cast<size_t>(t.dim());
  auto* dims = static_cast<Py_ssize_t*>(PyMem_Malloc(sizeof(Py_ssize_t) * (2 * n + 1)));
  if (dims == nullptr) {
    PyErr_NoMemory();
    return -1;
  }
  for (size_t i = 0; i < n; ++i) {
    dims[i] = t.sizes()[i];
    dims[n + i] = t.strides()[i] * static_cast<Py_ssize_t>(t.itemsize());
  }
  *buffer = {};
  buffer->buf = t.data();
  Py_INCREF(self);
  buffer->obj = self;
  buffer->len = static_cast<Py_ssize_t>(t.nbytes());
  buffer->itemsize = static_cast<Py_ssize_t>(t.itemsize());
  buffer->ndim = static_cast<int>(n);
  buffer->format = (flags & PyBUF_FORMAT) != 0 ? const_cast<char*>(format) : nullptr;
  buffer->shape = (flags & PyBUF_ND) != 0 ? dims : nullptr;
  buffer->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? dims + n : nullptr;
  buffer->internal = dims;
  return 0;
}

void ReleaseBuffer(PyObject*, Py_buffer* buffer) { PyMem_Free(buffer->internal); }

PyMethodDef exchange_methods[] = {
    {"__dlpack__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(ToDl)),
     METH_VARARGS | METH_KEYWORDS, "A DLPack capsule that shares the tensor's memory."},
    {"__dlpack_device__", DlDevice, METH_NOARGS, "DLPack's device type and number."},
    {}};

void InitExchange(PyObject* module) { AddFunctions(module, functions); }

}  // namespace sy::python
