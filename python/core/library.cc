// Operators, kernels and gradients written in Python (switchyard.library).

#include <deque>

#include "python/core/python.h"
#include "switchyard/autograd/gradient.h"
#include "switchyard/core/error.h"
#include "switchyard/registry/registry.h"

namespace sy::python {
namespace {

// A registration lives as long as the process: calls may be under way whenever it is taken back.
struct PythonKernel {
  std::string op, device;
  std::shared_ptr<PyObject> f;
  KernelDef def;
};

// Arguments as the function takes them: by position, and by name behind the schema's mark.
struct CallArguments {
  Ref positional, keywords;
};
CallArguments ArgumentsOf(const Schema& schema, std::span<const Value> args) {
  size_t n = 0;
  while (n < args.size() && !schema.arguments[n].kwarg_only) ++n;
  CallArguments out{Own(PyTuple_New(static_cast<Py_ssize_t>(n))), Own(PyDict_New())};
  for (size_t i = 0; i < args.size(); ++i) {
    Ref value = Own(ObjectOf(args[i]));
    if (i < n) {
      PyTuple_SetItem(out.positional.get(), static_cast<Py_ssize_t>(i), value.release());
    } else if (PyDict_SetItemString(out.keywords.get(), schema.arguments[i].name.c_str(),
                                    value.get()) < 0) {
      ThrowPython();
    }
  }
  return out;
}

void Run(const BoxedCall& call) {
  const auto& kernel = *static_cast<const PythonKernel*>(call.kernel->data);
  const WithGil gil;
  const OperatorEntry* op = Registry::Global().Find(kernel.op);
  if (op == nullptr) {
    Throw(PyExc_RuntimeError, kernel.op + ": is no longer registered");
  }
  const CallArguments args = ArgumentsOf(op->schema(), call.args);
  const Ref result = Own(PyObject_Call(kernel.f.get(), args.positional.get(), args.keywords.get()));
  const size_t n = op->schema().returns.size();
  if (n == 1) return SetResult(result.get(), call.results[0]);
  if (n == 0) return;
  const Ref tuple = Own(PySequence_Tuple(result.get()));
  if (PyTuple_Size(tuple.get()) != static_cast<Py_ssize_t>(n)) {
    Throw(PyExc_RuntimeError, kernel.op + "(): its kernel returned " +
                                  std::to_string(PyTuple_Size(tuple.get())) +
                                  " results, its schema has " + std::to_string(n));
  }
  for (size_t i = 0; i < n; ++i) {
    SetResult(PyTuple_GetItem(tuple.get(), static_cast<Py_ssize_t>(i)), call.results[i]);
  }
}

// _define(schema) → the full name
PyObject* Define(PyObject*, PyObject* text) {
  return Guard([&] {
    auto schema = std::make_unique<std::string>(TextOf(text));
    const Schema parsed = ParseSchema(*schema);
    if (parsed.name.find("::") == parsed.name.npos) {
      Fail(ErrorCode::kRegistration,
           {"operators of a program have a namespace: my::", parsed.name});
    }
    if (Registry::Global().Find(parsed.full_name()) != nullptr) {
      Fail(ErrorCode::kRegistration, {parsed.full_name(), " is registered already"});
    }
    auto def = std::make_unique<OperatorDef>(
        OperatorDef{.schema = SchemaText::Of(*schema), .file = "Python"});
    Registry::Global().Add(*def);
    static auto* kept =  // registered for good
        new std::deque<std::pair<std::unique_ptr<std::string>, std::unique_ptr<OperatorDef>>>;
    kept->emplace_back(std::move(schema), std::move(def));
    ForgetPlans();
    return Text(parsed.full_name());
  });
}

// _impl(full_name, device or None, function)
PyObject* Implement(PyObject*, PyObject* args) {
  return Guard([&]() -> PyObject* {
    const char *op = nullptr, *device = nullptr;
    PyObject* f = nullptr;
    if (PyArg_ParseTuple(args, "szO", &op, &device, &f) == 0) return nullptr;
    if (Registry::Global().Find(op) == nullptr) {
      Fail(ErrorCode::kNotFound, {"no operator named '", op, "'"});
    }
    auto kernel = std::make_unique<PythonKernel>();
    kernel->op = op;
    kernel->device = device == nullptr ? "" : device;
    kernel->f = Keep(f);
    KernelDef& k = kernel->def;
    k.op = kernel->op;
    k.op_hash = HashName(k.op);
    k.device = device == nullptr ? nullptr : kernel->device.c_str();
    k.boxed = Run;
    k.data = kernel.get();
    k.file = "Python";
    k.priority = 1;  // before composites and kernels of the operator's own
    Registry::Global().Add(k);
    return Own(PyCapsule_New(kernel.release(), "switchyard.kernel", nullptr)).release();
  });
}

// _remove(kernel): calls no longer reach it.
PyObject* RemoveKernel(PyObject*, PyObject* capsule) {
  return Guard([&]() -> PyObject* {
    auto* k = static_cast<PythonKernel*>(PyCapsule_GetPointer(capsule, "switchyard.kernel"));
    if (k == nullptr) ThrowPython();
    Registry::Global().Remove(k->def);
    Py_RETURN_NONE;
  });
}

// --- Gradients.

struct PythonGradient {
  std::string op;
  std::shared_ptr<PyObject> f;
  std::vector<std::string> inputs;
  std::string code;
  std::vector<autograd::Keep> keeps;
  std::vector<Type> types;
  size_t num_results = 0;
  std::unique_ptr<autograd::Registration> registration;
};

// f(grads, inputs, outputs) → one gradient or None for each input, in the schema's order.
void RunGradient(Fn fn, const Grad& g, size_t, Gradients& out) {
  const auto& gradient = *reinterpret_cast<const PythonGradient*>(fn);
  const WithGil gil;
  const Ref grads = Own(PyTuple_New(static_cast<Py_ssize_t>(gradient.num_results)));
  const Ref outputs = Own(PyTuple_New(static_cast<Py_ssize_t>(gradient.num_results)));
  for (size_t k = 0; k < gradient.num_results; ++k) {
    const auto at = static_cast<Py_ssize_t>(k);
    PyTuple_SetItem(grads.get(), at, Wrap(g.defined(k) ? g[k] : Tensor()));
    PyTuple_SetItem(outputs.get(), at, Wrap(g.SavedResult(k)));
  }
  const size_t n = gradient.types.size();
  const Ref inputs = Own(PyTuple_New(static_cast<Py_ssize_t>(n)));
  for (size_t i = 0; i < n; ++i) {
    PyObject* value = gradient.keeps[i] == autograd::Keep::kTensor ? Wrap(g.SavedTensor(i))
                      : gradient.keeps[i] == autograd::Keep::kTensors
                          ? TensorTuple(g.SavedTensors(i))
                          : ObjectOf(g.ValueOf(i));
    PyTuple_SetItem(inputs.get(), static_cast<Py_ssize_t>(i), Checked(value));
  }
  const Ref result = Own(PyObject_CallFunctionObjArgs(gradient.f.get(), grads.get(), inputs.get(),
                                                      outputs.get(), nullptr));
  const Ref all = PyTuple_Check(result.get()) || PyList_Check(result.get())
                      ? Own(PySequence_Tuple(result.get()))
                      : Own(PyTuple_Pack(1, result.get()));
  if (PyTuple_Size(all.get()) > static_cast<Py_ssize_t>(n)) {
    Throw(PyExc_RuntimeError, gradient.op + ": its gradient returned " +
                                  std::to_string(PyTuple_Size(all.get())) + " values for " +
                                  std::to_string(n) + " arguments");
  }
  for (Py_ssize_t i = 0; i < PyTuple_Size(all.get()); ++i) {
    PyObject* value = PyTuple_GetItem(all.get(), i);
    const auto at = static_cast<size_t>(i);
    if (value == Py_None || !out.needs(at)) continue;
    if (gradient.types[at].is_tensor_list()) {
      std::vector<Tensor> list = TensorsOf(value);
      for (size_t k = 0; k < list.size(); ++k) out.Set(at, k, std::move(list[k]));
    } else if (IsTensor(value)) {
      out.Set(at, TensorOf(value));
    } else {
      Throw(PyExc_TypeError, gradient.op + ": a gradient is a tensor or None");
    }
  }
}

// _gradient(full_name, function)
PyObject* SetGradient(PyObject*, PyObject* args) {
  return Guard([&]() -> PyObject* {
    const char* name = nullptr;
    PyObject* f = nullptr;
    if (PyArg_ParseTuple(args, "sO", &name, &f) == 0) return nullptr;
    const OperatorEntry* op = Registry::Global().Find(name);
    if (op == nullptr) Fail(ErrorCode::kNotFound, {"no operator named '", name, "'"});
    auto gradient = std::make_unique<PythonGradient>();
    gradient->op = name;
    gradient->f = Keep(f);
    gradient->num_results = op->schema().returns.size();
    autograd::Term term;
    gradient->inputs.reserve(op->schema().arguments.size());
    for (const Argument& a : op->schema().arguments) {
      gradient->types.push_back(a.type);
      gradient->code += a.type.Code();
      const bool tensor = a.type.kind == TypeKind::kTensor;
      gradient->keeps.push_back(!tensor       ? autograd::Keep::kValue
                                : a.type.list ? autograd::Keep::kTensors
                                              : autograd::Keep::kTensor);
      if (tensor && term.num_inputs < autograd::Term::kMaxInputs) {
        gradient->inputs.push_back(a.name);
        term.inputs[static_cast<size_t>(term.num_inputs++)] = gradient->inputs.back().c_str();
      }
    }
    term.fn = reinterpret_cast<Fn>(gradient.get());
    term.thunk = RunGradient;
    term.keeps = gradient->keeps.data();
    term.code = gradient->code.c_str();
    term.num_arguments = static_cast<int>(gradient->types.size());
    term.results = (uint32_t{1} << gradient->num_results) - 1;
    gradient->registration = std::make_unique<autograd::Registration>(autograd::Kind::kFormulas);
    gradient->registration->ops = {gradient->op.c_str()};
    gradient->registration->terms = {term};
    static auto* kept = new std::deque<std::unique_ptr<PythonGradient>>;  // registered for good
    kept->push_back(std::move(gradient));
    Py_RETURN_NONE;
  });
}

PyMethodDef functions[] = {{"_define", Define, METH_O, nullptr},
                           {"_impl", Implement, METH_VARARGS, nullptr},
                           {"_remove_kernel", RemoveKernel, METH_O, nullptr},
                           {"_gradient", SetGradient, METH_VARARGS, nullptr},
                           {}};

}  // namespace

void InitLibrary(PyObject* module) { AddFunctions(module, functions); }

}  // namespace sy::python
