// What Python's functions of operators take beyond the schemas' own: other names of arguments,
// sizes one by one, out= of several, tensors for numbers.
//
// Owns: nothing.
// Threads: with the GIL held.
// Errors: as dispatcher/call.h; exceptions of Python, thrown as PythonError.
#ifndef PYTHON_CORE_OVERLOADS_H_
#define PYTHON_CORE_OVERLOADS_H_

#include <string_view>
#include <vector>

#include "python/core/plan.h"
#include "switchyard/core/error.h"

namespace sy::python {

std::vector<OperatorEntry*> OverloadsOf(const Operation& op);
bool HasArgument(const std::vector<OperatorEntry*>& overloads, std::string_view name);
// The schema's name of what Python calls `name`: itself where it has no other.
std::string_view NameInSchema(const std::vector<OperatorEntry*>& overloads, std::string_view name);
// Finds out whether sizes may be given one by one.
void LookAt(Operation& op);
// After no overload took a call: what its arguments may stand for. n: how many are by position.
// Errors: refusal, where they stand for nothing else.
PyObject* CallOtherwise(Operation& op, const CallObjects& from, Py_ssize_t n, PyObject* keywords,
                        const Error& refusal);

}  // namespace sy::python

#endif  // PYTHON_CORE_OVERLOADS_H_
