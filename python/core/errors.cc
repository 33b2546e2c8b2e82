// Exceptions: which of Python's stands for which code, and how they pass through C++.

#include <cxxabi.h>
#include <unistd.h>

#include "python/core/python.h"
#include "switchyard/core/error.h"

namespace sy::python {
namespace {

PyObject* base;              // switchyard.Error
PyObject* by_code[16] = {};  // its subclasses
PyObject* runtime_error;     // of codes that have none of their own

PyObject* NewType(PyObject* module, const char* name, std::initializer_list<PyObject*> also) {
  Ref bases(PyTuple_New(static_cast<Py_ssize_t>(also.size()) + 1));
  Py_INCREF(base);
  PyTuple_SetItem(bases.get(), 0, base);
  Py_ssize_t i = 1;
  for (PyObject* b : also) {
    Py_INCREF(b);
    PyTuple_SetItem(bases.get(), i++, b);
  }
  PyObject* type = Checked(
      PyErr_NewException(("switchyard." + std::string(name)).c_str(), bases.get(), nullptr));
  if (PyModule_AddObjectRef(module, name, type) < 0) ThrowPython();
  return type;
}

// Operators for which PyTorch says RuntimeError of an index or a class inside a tensor; of others,
// IndexError.
bool IndexesAtRunTime(std::string_view op) {
  op = op.substr(0, op.find('.'));
  return op.starts_with("gather") || op.starts_with("scatter") || op.starts_with("index_add") ||
         op.starts_with("index_reduce") || op == "take_along_dim" ||
         op.starts_with("multi_margin_loss") || op.starts_with("multilabel_margin_loss") ||
         op.starts_with("_ctc_loss");
}

void Raise(const Error& e) {
  PyObject* type = by_code[static_cast<int>(e.code())];
  if (e.code() == ErrorCode::kIndexOutOfRange && IndexesAtRunTime(e.op())) type = runtime_error;
  if (type == nullptr) type = runtime_error;
  // A message may repeat what a file holds, which may be no text.
  const Ref text(PyUnicode_DecodeUTF8(e.what(), static_cast<Py_ssize_t>(e.message().size()),
                                      "backslashreplace"));
  Ref error(text ? PyObject_CallFunctionObjArgs(type, text.get(), nullptr) : nullptr);
  if (!error) return;  // what failed is set
  Ref code(Text(Name(e.code()))), op(Text(e.op()));
  if (!code || !op || PyObject_SetAttrString(error.get(), "code", code.get()) < 0 ||
      PyObject_SetAttrString(error.get(), "operator", op.get()) < 0) {
    return;
  }
  PyErr_SetObject(type, error.get());
}

}  // namespace

struct PythonError::State {
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  ~State() {
    if (Py_IsInitialized() == 0) return;
    const WithGil gil;
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
  }
};

PythonError::PythonError()
    : std::runtime_error("an exception of Python"), state_(std::make_shared<State>()) {
  PyErr_Fetch(&state_->type, &state_->value, &state_->traceback);
}

void PythonError::Restore() const {
  Py_XINCREF(state_->type);
  Py_XINCREF(state_->value);
  Py_XINCREF(state_->traceback);
  PyErr_Restore(state_->type, state_->value, state_->traceback);
}

// CPython ends such a thread by pthread_exit, which would run the destructors of C++ on its way,
// without the GIL. It waits for the process's end instead, as CPython's own do from 3.14 on.
void TakeGil(PyThreadState* state) noexcept {
  try {
    PyEval_RestoreThread(state);
  } catch (abi::__forced_unwind&) {
    for (;;) pause();
  }
}

PyGILState_STATE EnsureGil() noexcept {
  try {
    return PyGILState_Ensure();
  } catch (abi::__forced_unwind&) {
    for (;;) pause();
  }
}

void ThrowPython() { throw PythonError(); }

void Throw(PyObject* type, const std::string& text) {
  PyErr_SetString(type, text.c_str());
  throw PythonError();
}

void SetError() {
  try {
    throw;
  } catch (const PythonError& e) {
    e.Restore();
  } catch (const Error& e) {
    Raise(e);
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& e) {
    PyErr_SetString(runtime_error, e.what());
  } catch (...) {
    PyErr_SetString(runtime_error, "an exception of unknown type was thrown");
  }
}

std::shared_ptr<PyObject> Keep(PyObject* borrowed) {
  Py_INCREF(borrowed);
  return {borrowed, [](PyObject* o) {
            if (Py_IsInitialized() == 0) return;  // the interpreter has gone, and all it had
            const WithGil gil;
            Py_DECREF(o);
          }};
}

void InitErrors(PyObject* module) {
  base = Checked(PyErr_NewExceptionWithDoc(
      "switchyard.Error",
      "What every error of the runtime is: .code names its kind, .operator the operator.", nullptr,
      nullptr));
  if (PyModule_AddObjectRef(module, "Error", base) < 0) ThrowPython();
  const auto set = [](ErrorCode code, PyObject* type) { by_code[static_cast<int>(code)] = type; };
  runtime_error = NewType(module, "InvalidArgumentError", {PyExc_RuntimeError});
  PyObject* index = NewType(module, "OutOfRangeError", {PyExc_IndexError});
  set(ErrorCode::kOutOfRange, index);
  set(ErrorCode::kIndexOutOfRange, index);
  set(ErrorCode::kNotFound, NewType(module, "NotFoundError", {PyExc_AttributeError}));
  set(ErrorCode::kNoOverload, NewType(module, "NoOverloadError", {PyExc_TypeError}));
  // NotImplementedError is a RuntimeError.
  set(ErrorCode::kNotImplemented, NewType(module, "NoKernelError", {PyExc_NotImplementedError}));
  set(ErrorCode::kUnavailable, NewType(module, "UnavailableError", {PyExc_RuntimeError}));
  set(ErrorCode::kOutOfMemory,
      NewType(module, "OutOfMemoryError", {PyExc_RuntimeError, PyExc_MemoryError}));
}

}  // namespace sy::python
