// What the files of the extension module share: Python's limited API, the types of the module, and
// how errors cross between C++ and Python.
//
// Functions that return PyObject* return a new reference, or null with a Python exception set.
// Bodies run inside Guard(), which turns what C++ throws into exceptions; where a call into Python
// fails inside C++, PythonError carries its exception.
// Owns: a Ref owns one reference.
// Threads: all of it with the GIL held, but what says otherwise.
#ifndef SWITCHYARD_PYTHON_CORE_PYTHON_H_
#define SWITCHYARD_PYTHON_CORE_PYTHON_H_

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/core/generator.h"
#include "switchyard/core/tensor.h"
#include "switchyard/core/value.h"

namespace sy::python {

// --- References.

// One reference, owned. Null where there is none.
class Ref {
 public:
  Ref() = default;
  explicit Ref(PyObject* owned) : p_(owned) {}
  Ref(Ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  Ref& operator=(Ref&& o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  ~Ref() { Py_XDECREF(p_); }
  static Ref Of(PyObject* borrowed) {
    Py_XINCREF(borrowed);
    return Ref(borrowed);
  }
  PyObject* get() const { return p_; }
  PyObject* release() { return std::exchange(p_, nullptr); }
  explicit operator bool() const { return p_ != nullptr; }

 private:
  PyObject* p_ = nullptr;
};

// --- Errors (errors.cc).

// A Python exception on its way through C++. It takes the exception that is set; the last copy
// gives it up, in whatever thread.
class PythonError : public std::runtime_error {
 public:
  PythonError();
  void Restore() const;  // sets it again

 private:
  struct State;
  std::shared_ptr<State> state_;
};
// Throws the exception that is set.
[[noreturn]] void ThrowPython();
// Sets the exception of this type with this text, and throws it.
[[noreturn]] void Throw(PyObject* type, const std::string& text);
// What a call into Python gave, or its exception thrown.
inline PyObject* Checked(PyObject* p) {
  if (p == nullptr) ThrowPython();
  return p;
}
inline Ref Own(PyObject* p) { return Ref(Checked(p)); }
// In a handler: sets the exception that stands for what was thrown.
void SetError();
// f's result, or null with an exception set.
template <class F>
PyObject* Guard(F f) {
  try {
    return f();
  } catch (...) {
    SetError();
    return nullptr;
  }
}
// The same where success is a number above or equal to 0 and failure -1.
template <class F>
auto GuardInt(F f) -> decltype(f()) {
  try {
    return f();
  } catch (...) {
    SetError();
    return -1;
  }
}

// f's result; what it does not find is an error of this code: AttributeErrors are of names of
// attributes.
template <class F>
auto NotFoundAs(ErrorCode code, F f) -> decltype(f()) {
  try {
    return f();
  } catch (const Error& e) {
    if (e.code() != ErrorCode::kNotFound) throw;
    Fail(code, e.message());
  }
}

// --- The GIL. A daemon thread that wants it when the interpreter is ending never comes back.

void TakeGil(PyThreadState* state) noexcept;  // PyEval_RestoreThread
PyGILState_STATE EnsureGil() noexcept;        // PyGILState_Ensure

// Lets go of it, where `away`, while it lives.
class WithoutGil {
 public:
  explicit WithoutGil(bool away) : state_(away ? PyEval_SaveThread() : nullptr) {}
  ~WithoutGil() {
    if (state_ != nullptr) TakeGil(state_);
  }
  WithoutGil(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
};
// Takes it, in whatever thread.
class WithGil {
 public:
  WithGil() : state_(EnsureGil()) {}
  ~WithGil() { PyGILState_Release(state_); }
  WithGil(const WithGil&) = delete;

 private:
  PyGILState_STATE state_;
};
// A Python object that C++ keeps, and may let go of in any thread.
std::shared_ptr<PyObject> Keep(PyObject* borrowed);

// --- Types.

struct PyTensor {
  PyObject_HEAD Tensor t;
  PyObject* weak;
};
// dtype, layout and memory_format: one object for each value there is.
struct PyWord {
  PyObject_HEAD Value value;
};
struct PyDevice {
  PyObject_HEAD Device device;
};
struct PyGenerator {
  PyObject_HEAD std::shared_ptr<Generator> generator;
};

extern PyTypeObject* tensor_type;
extern PyTypeObject* word_types[3];  // dtype, layout, memory_format
extern PyTypeObject* device_type;
extern PyTypeObject* generator_type;
extern PyTypeObject* size_type;

inline bool IsTensor(PyObject* o) {
  return Py_TYPE(o) == tensor_type || PyType_IsSubtype(Py_TYPE(o), tensor_type) != 0;
}
inline const Tensor& TensorOf(PyObject* o) { return reinterpret_cast<PyTensor*>(o)->t; }
PyObject* Wrap(Tensor t);  // None of an undefined one
// An exact dtype, float, int, bool or complex, or a name. Errors: TypeError.
DType DTypeOfObject(PyObject* o);
// A device, a name, a number. Errors: TypeError; kInvalidArgument.
Device DeviceOfObject(PyObject* o);
Device DeviceOfName(std::string_view name);
PyObject* WordOf(DType d);
PyObject* WordOf(Layout l);
PyObject* WordOf(MemoryFormat f);
PyObject* WrapDevice(Device d);
PyObject* WrapNumber(const Scalar& s);
PyObject* SizeOf(IntSpan sizes);  // a Size
PyObject* TupleOf(IntSpan numbers);
inline PyObject* Text(std::string_view s) {
  return PyUnicode_FromStringAndSize(s.data(), static_cast<Py_ssize_t>(s.size()));
}
// Borrowed from the object. Errors: TypeError.
std::string_view TextOf(PyObject* o);
int64_t IntOf(PyObject* o);                  // by __index__
bool IsNumber(PyObject* o);                  // one that NumberOf takes
Scalar NumberOf(PyObject* o);                // bool, int, float, complex, and what converts to them
std::vector<int64_t> IntsOf(PyObject* o);    // a sequence of integers, or one
std::vector<Tensor> TensorsOf(PyObject* o);  // a sequence of tensors, or one; None: undefined
PyObject* TensorTuple(std::vector<Tensor> list);
PyObject* TensorTuple(TensorList list);

// Makes a heap type and gives it to the module under its own name.
PyTypeObject* AddType(PyObject* module, PyType_Spec* spec, PyObject* bases = nullptr);

// --- Calls (call.cc).

// An operator's name as calls need it, with what earlier calls have found out.
class Operation;
Operation* FindOperation(std::string_view name);  // made at the first use, kept for good
// args: n by position, then the keywords' values, as METH_FASTCALL | METH_KEYWORDS has them. self:
// goes before them, or null.
PyObject* CallOperation(Operation& op, PyObject* self, PyObject* const* args, Py_ssize_t n,
                        PyObject* keyword_names);
// Forgets which overloads earlier calls found: after operators have come or gone.
void ForgetPlans();

// Value ↔ object, for kernels written in Python (library.cc).
PyObject* ObjectOf(const Value& v);
void SetResult(PyObject* o, Result& r);

// --- What each file adds to the module.

void InitErrors(PyObject* module);
void InitWords(PyObject* module);
void InitTensor(PyObject* module);
void InitCall(PyObject* module);
void InitOperators();
void InitAutograd(PyObject* module);
void InitTransforms(PyObject* module);
void InitSettings(PyObject* module);
void InitLibrary(PyObject* module);
void InitExchange(PyObject* module);
void InitFiles(PyObject* module);
void InitLiteral(PyObject* module);
// PyMethodDef tables, ending with {}.
void AddFunctions(PyObject* module, PyMethodDef* table);

// Of the tensor type: indexing.cc, operators.cc, exchange.cc.
PyObject* GetItem(PyObject* self, PyObject* key);
int SetItem(PyObject* self, PyObject* key, PyObject* value);
const std::vector<PyType_Slot>& OperatorSlots();
int GetBuffer(PyObject* self, Py_buffer* buffer, int flags);
void ReleaseBuffer(PyObject* self, Py_buffer* buffer);
extern PyMethodDef exchange_methods[];
extern PyMethodDef autograd_methods[];
extern PyGetSetDef autograd_attributes[];
// A tensor of nested sequences, arrays and numbers; dtype: null: what they ask for.
Tensor MakeTensor(PyObject* data, const DType* dtype);
PyObject* ToList(const Tensor& t);
// Methods that operators of the registry are, by name; those in `taken` are left out.
std::vector<PyMethodDef> OperatorMethods(const std::vector<std::string_view>& taken);
// The memory of an object with the buffer protocol; null without one.
Tensor FromBuffer(PyObject* o);

using FastCall = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);
inline PyCFunction Fast(FastCall f) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(f));
}

}  // namespace sy::python

#endif  // SWITCHYARD_PYTHON_CORE_PYTHON_H_
