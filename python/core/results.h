// Results of operators as objects.
//
// Owns: nothing.
// Threads: with the GIL held.
// Errors: exceptions of Python, thrown as PythonError.
#ifndef PYTHON_CORE_RESULTS_H_
#define PYTHON_CORE_RESULTS_H_

#include "python/core/python.h"
#include "switchyard/dispatcher/call.h"

namespace sy::python {

// The objects of a call, among which results may be.
struct CallObjects {
  PyObject* self;
  PyObject* const* args;
  Py_ssize_t count;
};

// One result as it is, several as a tuple, which has names where the schema gives them. A result
// that is an argument is that very object.
PyObject* Return(const OperatorEntry& op, Results& results, const CallObjects& from);

}  // namespace sy::python

#endif  // PYTHON_CORE_RESULTS_H_
