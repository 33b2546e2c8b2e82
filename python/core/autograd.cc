// Gradients: attributes and methods of tensors, modes, hooks, and functions with a derivative of
// their own.

#include "switchyard/autograd/autograd.h"

#include "python/core/python.h"
#include "switchyard/autograd/function.h"
#include "switchyard/core/error.h"

namespace sy::python {
namespace {

PyObject* BoolOf(bool b) { return PyBool_FromLong(b); }

int SetRequiresGrad(PyObject* o, PyObject* value, void*) {
  return GuardInt([&] {
    const int on = value == nullptr ? -1 : PyObject_IsTrue(value);
    if (on < 0) {
      if (value == nullptr) Throw(PyExc_TypeError, "requires_grad is True or False");
      ThrowPython();
    }
    requires_grad_(TensorOf(o), on != 0);
    return 0;
  });
}

int SetGrad(PyObject* o, PyObject* value, void*) {
  return GuardInt([&] {
    if (value == nullptr || value == Py_None) {
      zero_grad(TensorOf(o));
    } else if (IsTensor(value)) {
      set_grad(TensorOf(o), TensorOf(value));
    } else {
      Throw(PyExc_TypeError, "assigned grad is a tensor or None");
    }
    return 0;
  });
}

// A hook that Python wrote, for calls from C++ in whatever thread.
Tensor CallHook(const std::shared_ptr<PyObject>& hook, const Tensor& g) {
  const WithGil gil;
  const Ref argument = Own(Wrap(g));
  const Ref result = Own(PyObject_CallFunctionObjArgs(hook.get(), argument.get(), nullptr));
  if (result.get() == Py_None) return {};
  if (!IsTensor(result.get())) Throw(PyExc_TypeError, "a hook returns a tensor or None");
  return TensorOf(result.get());
}

// What registering a hook gives: a function that ends its calls.
PyObject* HandleOf(HookHandle handle) {
  auto* kept = new HookHandle(std::move(handle));
  constexpr const char* kName = "switchyard.hook";
  const Ref capsule = Own(PyCapsule_New(kept, kName, [](PyObject* c) {
    delete static_cast<HookHandle*>(PyCapsule_GetPointer(c, kName));
  }));
  static PyMethodDef remove = {
      "remove",
      [](PyObject* c, PyObject*) {
        return Guard([&]() -> PyObject* {
          static_cast<HookHandle*>(PyCapsule_GetPointer(c, kName))->Remove();
          Py_RETURN_NONE;
        });
      },
      METH_NOARGS, nullptr};
  return Checked(PyCFunction_NewEx(&remove, capsule.get(), nullptr));
}

PyObject* RegisterHook(PyObject* o, PyObject* f) {
  return Guard([&] {
    return HandleOf(register_hook(TensorOf(o),
                                  [hook = Keep(f)](const Tensor& g) { return CallHook(hook, g); }));
  });
}

PyObject* RegisterPostHook(PyObject* o, PyObject* f) {
  return Guard([&] {
    return HandleOf(register_post_accumulate_hook(
        TensorOf(o), [hook = Keep(f)](const Tensor& leaf) { CallHook(hook, leaf); }));
  });
}

PyObject* RequiresGrad(PyObject* o, PyObject* args, PyObject* keywords) {
  return Guard([&]() -> PyObject* {
    int on = 1;
    static const char* names[] = {"requires_grad", nullptr};
    if (PyArg_ParseTupleAndKeywords(args, keywords, "|p", const_cast<char**>(names), &on) == 0) {
      return nullptr;
    }
    requires_grad_(TensorOf(o), on != 0);
    Py_INCREF(o);
    return o;
  });
}

// _backward(outputs, gradients, retain_graph, create_graph, inputs)
PyObject* Backward(PyObject*, PyObject* args) {
  return Guard([&]() -> PyObject* {
    PyObject *outputs = nullptr, *gradients = nullptr, *inputs = nullptr;
    int retain = 0, create = 0;
    if (PyArg_ParseTuple(args, "OOppO", &outputs, &gradients, &retain, &create, &inputs) == 0) {
      return nullptr;
    }
    const std::vector<Tensor> out = TensorsOf(outputs), g = TensorsOf(gradients),
                              in = TensorsOf(inputs);
    {
      const WithoutGil away(true);
      backward(out, g, {.retain_graph = retain != 0, .create_graph = create != 0, .inputs = in});
    }
    Py_RETURN_NONE;
  });
}

// _grad(outputs, inputs, gradients, retain_graph, create_graph, allow_unused)
PyObject* GradFunction(PyObject*, PyObject* args) {
  return Guard([&]() -> PyObject* {
    PyObject *outputs = nullptr, *gradients = nullptr, *inputs = nullptr;
    int retain = 0, create = 0, unused = 0;
    if (PyArg_ParseTuple(args, "OOOppp", &outputs, &inputs, &gradients, &retain, &create,
                         &unused) == 0) {
      return nullptr;
    }
    const std::vector<Tensor> out = TensorsOf(outputs), g = TensorsOf(gradients),
                              in = TensorsOf(inputs);
    std::vector<Tensor> found;
    {
      const WithoutGil away(true);
      found = grad(
          out, in, g,
          {.retain_graph = retain != 0, .create_graph = create != 0, .allow_unused = unused != 0});
    }
    return TensorTuple(std::move(found));
  });
}

// _set_grad_enabled(on) → what it was
PyObject* SetGradEnabled(PyObject*, PyObject* on) {
  return Guard([&] {
    const int value = PyObject_IsTrue(on);
    if (value < 0) ThrowPython();
    const bool before = is_grad_enabled();
    set_grad_enabled(value != 0);
    return BoolOf(before);
  });
}

// --- Functions with a derivative of their own.

std::vector<size_t> PlacesOf(PyObject* tuple) {
  std::vector<size_t> all;
  for (Py_ssize_t i = 0; i < PyTuple_Size(tuple); ++i) {
    all.push_back(PyLong_AsSize_t(PyTuple_GetItem(tuple, i)));
  }
  return all;
}

// What backward reads saved tensors by, while it runs.
PyObject* SavedOf(FunctionContext* c) {
  constexpr const char* kName = "switchyard.saved";
  const Ref capsule = Own(PyCapsule_New(c, kName, nullptr));
  static PyMethodDef read = {
      "saved",
      [](PyObject* c, PyObject*) {
        return Guard([&] {
          return TensorTuple(
              static_cast<FunctionContext*>(PyCapsule_GetPointer(c, kName))->Saved());
        });
      },
      METH_NOARGS, nullptr};
  return Checked(PyCFunction_NewEx(&read, capsule.get(), nullptr));
}

// _apply_function(name, forward, backward, tensors). forward(tensors), which may be called more
// than once, gives its state and four tuples: results, tensors that backward needs, and which of
// the results require no gradient, and are inputs that it has written. backward(state, grads,
// saved), saved() giving the tensors that it needs, gives a tuple of gradients of the inputs.
PyObject* ApplyFunctionOf(PyObject*, PyObject* args) {
  return Guard([&]() -> PyObject* {
    const char* name = nullptr;
    PyObject *forward = nullptr, *backward_object = nullptr, *tensors = nullptr;
    if (PyArg_ParseTuple(args, "sOOO", &name, &forward, &backward_object, &tensors) == 0) {
      return nullptr;
    }
    static auto* names = new std::vector<std::unique_ptr<std::string>>;  // of nodes, which may stay
    const char* kept_name = nullptr;
    for (const auto& n : *names) {
      if (*n == name) kept_name = n->c_str();
    }
    if (kept_name == nullptr) {
      kept_name = names->emplace_back(std::make_unique<std::string>(name))->c_str();
    }
    std::vector<Tensor> out = ApplyFunction(
        kept_name,
        [&](FunctionContext& c, TensorList list) {
          const WithGil gil;
          const Ref argument = Own(TensorTuple(list));
          const Ref all = Own(PyObject_CallFunctionObjArgs(forward, argument.get(), nullptr));
          PyObject *state, *results, *needed, *none, *written;
          if (PyArg_ParseTuple(all.get(), "OOOOO", &state, &results, &needed, &none, &written) == 0)
            ThrowPython();
          c.SaveForBackward(TensorsOf(needed));
          c.data = Keep(state);
          c.data_stays = true;
          for (const size_t k : PlacesOf(none)) c.MarkNonDifferentiable(k);
          for (const size_t k : PlacesOf(written)) c.MarkDirty(k);
          return TensorsOf(results);
        },
        [f = Keep(backward_object)](FunctionContext& c, TensorList grads) {
          const WithGil gil;
          const auto state = std::any_cast<std::shared_ptr<PyObject>>(c.data);
          const Ref argument = Own(TensorTuple(grads)), saved = Own(SavedOf(&c));
          const Ref found = Own(PyObject_CallFunctionObjArgs(f.get(), state.get(), argument.get(),
                                                             saved.get(), nullptr));
          return TensorsOf(found.get());
        },
        TensorsOf(tensors));
    return TensorTuple(std::move(out));
  });
}

PyMethodDef functions[] = {
    {"_backward", Backward, METH_VARARGS, nullptr},
    {"_grad", GradFunction, METH_VARARGS, nullptr},
    {"_set_grad_enabled", SetGradEnabled, METH_O, nullptr},
    {"is_grad_enabled", [](PyObject*, PyObject*) { return BoolOf(is_grad_enabled()); }, METH_NOARGS,
     "Whether this thread records operators for gradients."},
    {"_apply_function", ApplyFunctionOf, METH_VARARGS, nullptr},
    {"_follow_views",
     [](PyObject*, PyObject*) {
       follow_views();
       Py_RETURN_NONE;
     },
     METH_NOARGS, nullptr},
    {}};

PyCFunction WithKeywords(PyObject* (*f)(PyObject*, PyObject*, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(f));
}

}  // namespace

PyGetSetDef autograd_attributes[] = {
    {"requires_grad", [](PyObject* o, void*) { return BoolOf(requires_grad(TensorOf(o))); },
     SetRequiresGrad, "Whether backward gathers its gradient, or passes through it.", nullptr},
    {"grad", [](PyObject* o, void*) { return Guard([&] { return Wrap(grad_of(TensorOf(o))); }); },
     SetGrad, "The gradient gathered so far, or None.", nullptr},
    {"is_leaf",
     [](PyObject* o, void*) { return Guard([&] { return BoolOf(is_leaf(TensorOf(o))); }); },
     nullptr, "Whether no recorded operator made it.", nullptr},
    {"_version",
     [](PyObject* o, void*) { return PyLong_FromUnsignedLong(version_of(TensorOf(o))); }, nullptr,
     "How often its storage was written.", nullptr},
    {"_grad_fn_name",
     [](PyObject* o, void*) { return Guard([&] { return Text(grad_fn_name(TensorOf(o))); }); },
     nullptr, nullptr, nullptr},
    {}};

PyMethodDef autograd_methods[] = {
    {"requires_grad_", WithKeywords(RequiresGrad), METH_VARARGS | METH_KEYWORDS,
     "requires_grad_(requires_grad=True): makes a leaf want a gradient, and returns it."},
    {"_register_hook", RegisterHook, METH_O, nullptr},
    {"_register_post_hook", RegisterPostHook, METH_O, nullptr},
    {"retain_grad",
     [](PyObject* o, PyObject*) {
       return Guard([&]() -> PyObject* {
         retain_grad(TensorOf(o));
         Py_RETURN_NONE;
       });
     },
     METH_NOARGS, "Keeps the gradient of what an operator made."},
    {}};

void InitAutograd(PyObject* module) { AddFunctions(module, functions); }

}  // namespace sy::python
