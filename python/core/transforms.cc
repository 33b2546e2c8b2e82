// Functions made of Python's functions, dual tensors, what becomes of saved tensors, and looking
// for nan: what switchyard.func and the modules of switchyard.autograd stand on. Trees of arguments
// are theirs; here are lists of tensors.

#include "python/core/python.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/saved_tensors.h"
#include "switchyard/core/error.h"
#include "switchyard/transforms/forward.h"
#include "switchyard/transforms/func.h"
#include "switchyard/transforms/vmap.h"

namespace sy::python {
namespace {

// --- Levels that Python has entered. A thread's own, and never ended by its end.

struct Entered {
  DualLevel level;
  Entered* outer;
  int number;  // 0: the outermost
};
thread_local Entered* innermost_dual = nullptr;
thread_local Entered* outside_function = nullptr;  // not to be left by the function that runs

void LeaveDual() { delete std::exchange(innermost_dual, innermost_dual->outer); }

// While a function of Python's runs. Levels nest in functions, and functions in levels: what a
// function has entered and not left ends with it.
class FunctionRuns {
 public:
  FunctionRuns() : outside_(std::exchange(outside_function, innermost_dual)) {}
  ~FunctionRuns() {
    while (innermost_dual != outside_function) LeaveDual();
    outside_function = outside_;
  }
  FunctionRuns(const FunctionRuns&) = delete;
  void RequireLeft() const {
    if (innermost_dual == outside_function) return;
    Throw(PyExc_RuntimeError, "a dual level that a function has entered was not left by it");
  }

 private:
  Entered* outside_;
};

PyObject* EnterDual(PyObject*, PyObject*) {
  return Guard([&] {
    const int number = innermost_dual == nullptr ? 0 : innermost_dual->number + 1;
    auto* entered = new Entered{{}, innermost_dual, number};
    innermost_dual = entered;
    return PyLong_FromLong(number);
  });
}

// _exit_dual(number): of the innermost one, or -1.
PyObject* ExitDual(PyObject*, PyObject* number) {
  return Guard([&]() -> PyObject* {
    const int64_t wanted = IntOf(number);
    if (innermost_dual == outside_function) {
      Throw(PyExc_RuntimeError, "exit_dual_level(): there is no level that was entered here");
    }
    if (wanted != -1 && wanted != innermost_dual->number) {
      Throw(PyExc_RuntimeError,
            Join({"exit_dual_level(): level ", wanted, " is not the innermost, which is ",
                  int64_t(innermost_dual->number)}));
    }
    LeaveDual();
    Py_RETURN_NONE;
  });
}

PyObject* MakeDualOf(PyObject*, PyObject* args) {
  return Guard([&]() -> PyObject* {
    PyObject *primal = nullptr, *tangent = nullptr;
    if (PyArg_ParseTuple(args, "O!O!", tensor_type, &primal, tensor_type, &tangent) == 0) {
      return nullptr;
    }
    return Wrap(make_dual(TensorOf(primal), TensorOf(tangent)));
  });
}

// _unpack_dual(tensor) → the primal, and the tangent or None.
PyObject* UnpackDualOf(PyObject*, PyObject* o) {
  return Guard([&] {
    if (!IsTensor(o)) Throw(PyExc_TypeError, "unpack_dual(): expected a tensor");
    DualTensor d{TensorOf(o), {}};
    if (innermost_dual != nullptr) d = unpack_dual(d.primal);
    std::vector<Tensor> both;
    both.push_back(std::move(d.primal));
    both.push_back(std::move(d.tangent));
    return TensorTuple(std::move(both));
  });
}

// --- Functions. The GIL is taken back for each call into Python.

// f(tuple of tensors) gives a tuple of tensors.
TensorFunction FunctionOf(PyObject* f) {
  return [f = Keep(f)](TensorList x) {
    const WithGil gil;
    const FunctionRuns runs;
    const Ref argument = Own(TensorTuple(x));
    const Ref found = Own(PyObject_CallFunctionObjArgs(f.get(), argument.get(), nullptr));
    std::vector<Tensor> all = TensorsOf(found.get());
    runs.RequireLeft();
    return all;
  };
}

VmapDims DimsOf(PyObject* tuple) {
  VmapDims dims;
  for (Py_ssize_t i = 0; i < PyTuple_Size(tuple); ++i) {
    PyObject* d = PyTuple_GetItem(tuple, i);
    dims.push_back(d == Py_None ? std::nullopt : std::optional(IntOf(d)));
  }
  return dims;
}

// _vmap(f, tensors, in_dims, chunk_size, randomness) → what f gives with batches. f(tuple of
// tensors) gives two tuples: tensors, and where their batches go.
PyObject* VmapOf(PyObject*, PyObject* args) {
  return Guard([&]() -> PyObject* {
    PyObject *f = nullptr, *tensors = nullptr, *in_dims = nullptr, *chunk_size = nullptr;
    const char* randomness = nullptr;
    if (PyArg_ParseTuple(args, "OOO!Os", &f, &tensors, &PyTuple_Type, &in_dims, &chunk_size,
                         &randomness) == 0) {
      return nullptr;
    }
    const std::string_view mode = randomness;
    VmapOptions options;
    if (chunk_size != Py_None) options.chunk_size = IntOf(chunk_size);
    options.randomness = mode == "different" ? VmapRandomness::kDifferent
                         : mode == "same"    ? VmapRandomness::kSame
                                             : VmapRandomness::kError;
    VmapDims out_dims;
    const TensorFunction call = [&, f = Keep(f)](TensorList x) {
      const WithGil gil;
      const FunctionRuns runs;
      const Ref argument = Own(TensorTuple(x));
      const Ref found = Own(PyObject_CallFunctionObjArgs(f.get(), argument.get(), nullptr));
      PyObject *results, *dims;
      if (PyArg_ParseTuple(found.get(), "OO!", &results, &PyTuple_Type, &dims) == 0) ThrowPython();
      std::vector<Tensor> all = TensorsOf(results);
      out_dims = DimsOf(dims);
      runs.RequireLeft();
      return all;
    };
    const std::vector<Tensor> inputs = TensorsOf(tensors);
    const VmapDims dims = DimsOf(in_dims);
    std::vector<Tensor> found;
    {
      const WithoutGil away(true);
      found = RunVmap(call, inputs, dims, out_dims, options);
    }
    return TensorTuple(std::move(found));
  });
}

// What a transform gave, as a function of a tuple of tensors.
PyObject* CallableOf(const TensorFunction& f) {
  constexpr const char* kName = "switchyard.function";
  auto* kept = new TensorFunction(f);
  const Ref capsule = Own(PyCapsule_New(kept, kName, [](PyObject* c) {
    delete static_cast<TensorFunction*>(PyCapsule_GetPointer(c, kName));
  }));
  static PyMethodDef call = {"transformed",
                             [](PyObject* c, PyObject* tensors) {
                               return Guard([&] {
                                 const auto* function =
                                     static_cast<TensorFunction*>(PyCapsule_GetPointer(c, kName));
                                 const std::vector<Tensor> x = TensorsOf(tensors);
                                 std::vector<Tensor> found;
                                 {
                                   const WithoutGil away(true);
                                   found = (*function)(x);
                                 }
                                 return TensorTuple(std::move(found));
                               });
                             },
                             METH_O, nullptr};
  return Checked(PyCFunction_NewEx(&call, capsule.get(), nullptr));
}

PyObject* Pair(Ref a, Ref b) { return Checked(PyTuple_Pack(2, a.get(), b.get())); }

// _func_grad(f, tensors, argnums) → gradients, and what f gave.
PyObject* FuncGrad(PyObject*, PyObject* args) {
  return Guard([&]() -> PyObject* {
    PyObject *f = nullptr, *tensors = nullptr, *argnums = nullptr;
    if (PyArg_ParseTuple(args, "OOO", &f, &tensors, &argnums) == 0) return nullptr;
    const auto of = func::grad_and_value(FunctionOf(f), IntsOf(argnums));
    const std::vector<Tensor> x = TensorsOf(tensors);
    std::vector<Tensor> found;
    {
      const WithoutGil away(true);
      found = of(x);
    }
    return TensorTuple(std::move(found));
  });
}

// _func_vjp(f, tensors) → what f gave, and the function of cotangents.
PyObject* FuncVjp(PyObject*, PyObject* args) {
  return Guard([&]() -> PyObject* {
    PyObject *f = nullptr, *tensors = nullptr;
    if (PyArg_ParseTuple(args, "OO", &f, &tensors) == 0) return nullptr;
    const TensorFunction of = FunctionOf(f);
    const std::vector<Tensor> x = TensorsOf(tensors);
    const func::Vjp v = [&] {
      const WithoutGil away(true);
      return func::vjp(of, TensorList(x));
    }();
    return Pair(Own(TensorTuple(v.outputs)), Own(CallableOf(v.pull.list())));
  });
}

// _func_linearize(f, tensors) → what f gave, and the function of tangents.
PyObject* FuncLinearize(PyObject*, PyObject* args) {
  return Guard([&]() -> PyObject* {
    PyObject *f = nullptr, *tensors = nullptr;
    if (PyArg_ParseTuple(args, "OO", &f, &tensors) == 0) return nullptr;
    const TensorFunction of = FunctionOf(f);
    const std::vector<Tensor> x = TensorsOf(tensors);
    const func::Linearized l = [&] {
      const WithoutGil away(true);
      return func::linearize(of, TensorList(x));
    }();
    return Pair(Own(TensorTuple(l.outputs)), Own(CallableOf(l.push.list())));
  });
}

// _func_jvp(f, primals, tangents) → what f gave, and its derivatives.
PyObject* FuncJvp(PyObject*, PyObject* args) {
  return Guard([&]() -> PyObject* {
    PyObject *f = nullptr, *primals = nullptr, *tangents = nullptr;
    if (PyArg_ParseTuple(args, "OOO", &f, &primals, &tangents) == 0) return nullptr;
    const TensorFunction of = FunctionOf(f);
    const std::vector<Tensor> x = TensorsOf(primals), along = TensorsOf(tangents);
    const func::Jvp j = [&] {
      const WithoutGil away(true);
      return func::jvp(of, TensorList(x), TensorList(along));
    }();
    return Pair(Own(TensorTuple(j.outputs)), Own(TensorTuple(j.tangents)));
  });
}

// --- What becomes of tensors that are kept for backward.

struct Hooks {
  SavedTensorHooks hooks;
  Hooks* outer;
};
thread_local Hooks* innermost_hooks = nullptr;

// _push_saved_tensor_hooks(pack, unpack)
PyObject* PushHooks(PyObject*, PyObject* args) {
  return Guard([&]() -> PyObject* {
    PyObject *pack = nullptr, *unpack = nullptr;
    if (PyArg_ParseTuple(args, "OO", &pack, &unpack) == 0) return nullptr;
    const auto packs = [f = Keep(pack)](const Tensor& t) -> std::any {
      const WithGil gil;
      const Ref argument = Own(Wrap(t));
      return Keep(Own(PyObject_CallFunctionObjArgs(f.get(), argument.get(), nullptr)).get());
    };
    const auto unpacks = [f = Keep(unpack)](const std::any& packed) {
      const WithGil gil;
      PyObject* what = std::any_cast<const std::shared_ptr<PyObject>&>(packed).get();
      const Ref found = Own(PyObject_CallFunctionObjArgs(f.get(), what, nullptr));
      if (!IsTensor(found.get())) {
        const Ref type = Own(PyType_GetName(Py_TYPE(found.get())));
        Throw(PyExc_TypeError, "saved_tensors_hooks: unpack_hook must return a tensor, got " +
                                   std::string(TextOf(type.get())));
      }
      return TensorOf(found.get());
    };
    innermost_hooks = new Hooks{{packs, unpacks}, innermost_hooks};
    Py_RETURN_NONE;
  });
}

PyObject* PopHooks(PyObject*, PyObject*) {
  return Guard([&]() -> PyObject* {
    if (innermost_hooks == nullptr) {
      Throw(PyExc_RuntimeError, "saved_tensors_hooks: none are on in this thread");
    }
    delete std::exchange(innermost_hooks, innermost_hooks->outer);
    Py_RETURN_NONE;
  });
}

// _set_anomaly(on): looking for nan in this thread's backward.
PyObject* SetAnomaly(PyObject*, PyObject* on) {
  return Guard([&]() -> PyObject* {
    static thread_local Anomaly* looking = nullptr;
    const int value = PyObject_IsTrue(on);
    if (value < 0) ThrowPython();
    if (value == 0) {
      delete std::exchange(looking, nullptr);
    } else if (looking == nullptr) {
      looking = new Anomaly;
    }
    Py_RETURN_NONE;
  });
}

PyMethodDef functions[] = {{"_enter_dual", EnterDual, METH_NOARGS, nullptr},
                           {"_exit_dual", ExitDual, METH_O, nullptr},
                           {"_make_dual", MakeDualOf, METH_VARARGS, nullptr},
                           {"_unpack_dual", UnpackDualOf, METH_O, nullptr},
                           {"_vmap", VmapOf, METH_VARARGS, nullptr},
                           {"_func_grad", FuncGrad, METH_VARARGS, nullptr},
                           {"_func_vjp", FuncVjp, METH_VARARGS, nullptr},
                           {"_func_linearize", FuncLinearize, METH_VARARGS, nullptr},
                           {"_func_jvp", FuncJvp, METH_VARARGS, nullptr},
                           {"_push_saved_tensor_hooks", PushHooks, METH_VARARGS, nullptr},
                           {"_pop_saved_tensor_hooks", PopHooks, METH_NOARGS, nullptr},
                           {"_set_anomaly", SetAnomaly, METH_O, nullptr},
                           {}};

}  // namespace

void InitTransforms(PyObject* module) { AddFunctions(module, functions); }

}  // namespace sy::python
