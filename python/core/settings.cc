// What a process sets: seeds, threads, the default dtype, printing, plugins; and what it may ask:
// explanations, facts of dtypes, devices, profiles.

#include "python/core/python.h"
#include "switchyard/core/accelerator.h"
#include "switchyard/core/deterministic.h"
#include "switchyard/core/device_backend.h"
#include "switchyard/core/dtype_info.h"
#include "switchyard/core/error.h"
#include "switchyard/core/flush_denormal.h"
#include "switchyard/core/matmul_precision.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/promotion.h"
#include "switchyard/core/version.h"
#include "switchyard/dispatcher/explain.h"
#include "switchyard/dispatcher/profiler.h"
#include "switchyard/plugin/load.h"

namespace sy::python {
namespace {

PyObject* None() { Py_RETURN_NONE; }
PyObject* Bool(bool b) { return PyBool_FromLong(b); }

// Functions of no argument, and of one.
template <auto kF>
PyObject* F0(PyObject*, PyObject*) {
  return Guard([&]() -> PyObject* { return kF(); });
}
template <auto kF>
PyObject* F1(PyObject*, PyObject* a) {
  return Guard([&]() -> PyObject* { return kF(a); });
}

PyObject* SetSeed(PyObject* seed) {
  const Scalar s = NumberOf(seed);
  manual_seed(s.kind() == Scalar::kUInt ? s.To<uint64_t>()
                                        : static_cast<uint64_t>(s.To<int64_t>()));
  PyObject* module = Checked(PyImport_AddModule("switchyard._core"));  // borrowed
  return PyObject_GetAttrString(module, "default_generator");
}

PyObject* SetThreads(PyObject* n) {
  SetNumThreads(static_cast<int>(IntOf(n)));
  return None();
}

PyObject* SetDefault(PyObject* d) {
  SetDefaultDType(DTypeOfObject(d));
  return None();
}

// get: (precision, threshold, edgeitems, linewidth, sci_mode)
PyObject* PrintOptionsOf() {
  const PrintOptions o = get_printoptions();
  const Ref sci = Own(o.sci_mode ? Bool(*o.sci_mode) : None());
  return Py_BuildValue("(iLLLO)", o.precision, static_cast<long long>(o.threshold),  // NOLINT
                       static_cast<long long>(o.edgeitems),                          // NOLINT
                       static_cast<long long>(o.linewidth), sci.get());              // NOLINT
}
PyObject* SetPrintOptions(PyObject* tuple) {
  if (PyUnicode_Check(tuple)) {
    set_printoptions(TextOf(tuple));
    return None();
  }
  PrintOptions o;
  const auto at = [&](Py_ssize_t i) { return Checked(PyTuple_GetItem(tuple, i)); };
  o.precision = static_cast<int>(IntOf(at(0)));
  o.threshold = IntOf(at(1));
  o.edgeitems = IntOf(at(2));
  o.linewidth = IntOf(at(3));
  if (at(4) != Py_None) o.sci_mode = at(4) == Py_True;
  set_printoptions(o);
  return None();
}

// (bits, eps, max, min, smallest_normal, smallest_subnormal, resolution) and (bits, min, max)
PyObject* FloatFacts(PyObject* d) {
  const FloatInfo f = finfo(DTypeOfObject(d));
  return Py_BuildValue("(idddddd)", f.bits, f.eps, f.max, f.min, f.smallest_normal,
                       f.smallest_subnormal, f.resolution);
}
PyObject* IntFacts(PyObject* d) {
  const IntInfo f = iinfo(DTypeOfObject(d));
  return Py_BuildValue("(iLK)", f.bits, static_cast<long long>(f.min),  // NOLINT
                       static_cast<unsigned long long>(f.max));         // NOLINT
}

// explain(op, device, dtype) → dicts, one for each overload.
PyObject* ExplainAs(PyObject*, PyObject* args) {
  return Guard([&]() -> PyObject* {
    const char *op = nullptr, *device = nullptr;
    PyObject* dtype = nullptr;
    if (PyArg_ParseTuple(args, "ssO", &op, &device, &dtype) == 0) return nullptr;
    const Ref list = Own(PyList_New(0));
    for (const Explanation& e : explain(op, device, DTypeOfObject(dtype))) {
      const Ref candidates = Own(PyList_New(0));
      for (const ExplainedCandidate& c : e.candidates) {
        const Ref one = Own(Py_BuildValue("{s:s,s:s,s:s,s:N,s:s}", "device", c.device.c_str(),
                                          "dtypes", c.dtypes.c_str(), "source", c.source.c_str(),
                                          "chosen", Bool(c.chosen), "verdict", c.verdict.c_str()));
        if (PyList_Append(candidates.get(), one.get()) < 0) ThrowPython();
      }
      const Ref one = Own(Py_BuildValue(
          "{s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:O,s:s}", "op", e.op.c_str(), "schema",
          e.schema.c_str(), "registered_at", e.registered_at.c_str(), "device", e.device.c_str(),
          "variant", e.variant.c_str(), "formula", e.formula.c_str(), "fallback",
          e.fallback.c_str(), "outcome", e.outcome.c_str(), "candidates", candidates.get(), "text",
          e.str().c_str()));
      if (PyList_Append(list.get(), one.get()) < 0) ThrowPython();
    }
    return Ref::Of(list.get()).release();
  });
}

PyObject* Strings(const std::vector<std::string>& list) {
  Ref out = Own(PyList_New(0));
  for (const std::string& s : list) {
    const Ref text = Own(Text(s));
    if (PyList_Append(out.get(), text.get()) < 0) ThrowPython();
  }
  return out.release();
}

PyObject* Describe(const PluginInfo& p) {
  const Ref devices = Own(Strings(p.devices)), operators = Own(Strings(p.operators));
  return Py_BuildValue("{s:s,s:s,s:s,s:s,s:O,s:O,s:N,s:L,s:s}", "name", p.name.c_str(), "version",
                       p.version.c_str(), "description", p.description.c_str(), "library",
                       p.library.c_str(), "devices", devices.get(), "operators", operators.get(),
                       "loaded", Bool(p.loaded), "kernels",
                       static_cast<long long>(p.kernels),  // NOLINT(google-runtime-int)
                       "problem", p.problem.c_str());
}
PyObject* LoadPlugin(PyObject* path) {
  const Ref text = Own(PyObject_Str(path));
  const PluginInfo info =
      NotFoundAs(ErrorCode::kUnavailable, [&] { return load_plugin(TextOf(text.get())); });
  ForgetPlans();
  return Describe(info);
}
PyObject* UnloadPlugin(PyObject* name) {
  const UnloadAnswer answer = unload_plugin(TextOf(name));
  ForgetPlans();
  return Py_BuildValue("(Ns)", Bool(answer.unloaded), answer.text.c_str());
}
PyObject* Plugins(const std::vector<PluginInfo>& all) {
  Ref out = Own(PyList_New(0));
  for (const PluginInfo& p : all) {
    const Ref one = Own(Describe(p));
    if (PyList_Append(out.get(), one.get()) < 0) ThrowPython();
  }
  return out.release();
}

PyObject* Count(PyObject* type) {
  return PyLong_FromLong(DeviceCount(FindDeviceType(TextOf(type))));
}

PyObject* SynchronizeDevice(PyObject* device) {
  const Device d = DeviceOfObject(device);
  {
    const WithoutGil away(true);
    Synchronize(d);
  }
  return None();
}

// --- The profiler: one object, on in the thread that switched it on.

struct Recording {
  Profiler profiler;
  std::unique_ptr<Profiler::Scope> scope;
};
constexpr const char* kRecording = "switchyard.profiler";
Recording& RecordingOf(PyObject* capsule) {
  auto* r = static_cast<Recording*>(PyCapsule_GetPointer(capsule, kRecording));
  if (r == nullptr) ThrowPython();
  return *r;
}
PyObject* NewProfiler() {
  return PyCapsule_New(new Recording, kRecording, [](PyObject* c) {
    delete static_cast<Recording*>(PyCapsule_GetPointer(c, kRecording));
  });
}
PyObject* StartProfiler(PyObject* p) {
  Recording& r = RecordingOf(p);
  if (r.scope == nullptr) r.scope = std::make_unique<Profiler::Scope>(r.profiler);
  return None();
}
PyObject* StopProfiler(PyObject* p) {
  RecordingOf(p).scope.reset();
  return None();
}
PyObject* ProfileEntries(PyObject* p) {
  Ref out = Own(PyList_New(0));
  for (const Profiler::Entry& e : RecordingOf(p).profiler.Entries()) {
    const Ref one = Own(Py_BuildValue(
        "{s:s,s:s,s:s,s:L,s:L,s:L,s:L,s:L}", "op", e.op.c_str(), "device", e.device.c_str(),
        "dtype", e.dtype.c_str(), "calls", static_cast<long long>(e.calls),  // NOLINT
        "total_ns", static_cast<long long>(e.total_ns), "self_ns",           // NOLINT
        static_cast<long long>(e.self_ns), "min_ns",                         // NOLINT
        static_cast<long long>(e.min_ns), "max_ns",                          // NOLINT
        static_cast<long long>(e.max_ns)));                                  // NOLINT
    if (PyList_Append(out.get(), one.get()) < 0) ThrowPython();
  }
  return out.release();
}

PyObject* Dtypes(PyObject*, PyObject* args) {
  return Guard([&]() -> PyObject* {
    PyObject *a = nullptr, *b = nullptr;
    if (PyArg_ParseTuple(args, "OO", &a, &b) == 0) return nullptr;
    return WordOf(PromoteTypes(DTypeOfObject(a), DTypeOfObject(b)));
  });
}

// _set_rng_state(state, device)
PyObject* SetStateOf(PyObject*, PyObject* args) {
  return Guard([&]() -> PyObject* {
    PyObject *state = nullptr, *device = nullptr;
    if (PyArg_ParseTuple(args, "O!O", tensor_type, &state, &device) == 0) return nullptr;
    set_rng_state(TensorOf(state), DeviceOfObject(device));
    Py_RETURN_NONE;
  });
}

PyMethodDef functions[] = {
    {"manual_seed", F1<SetSeed>, METH_O, "Seeds all generators; returns the default one."},
    {"seed", F0<[] { return PyLong_FromUnsignedLongLong(seed()); }>, METH_NOARGS,
     "Seeds all generators from the operating system, and says with what."},
    {"initial_seed", F0<[] { return PyLong_FromUnsignedLongLong(initial_seed()); }>, METH_NOARGS,
     "The seed from which the default generator started."},
    {"get_rng_state", F0<[] { return Wrap(get_rng_state()); }>, METH_NOARGS,
     "The default generator's state as bytes."},
    {"set_rng_state", F1<[](PyObject* t) {
       if (!IsTensor(t)) Throw(PyExc_TypeError, "set_rng_state(): expected a tensor of bytes");
       set_rng_state(TensorOf(t));
       return None();
     }>,
     METH_O, "Goes on from a state that get_rng_state gave."},
    {"_get_rng_state", F1<[](PyObject* d) { return Wrap(get_rng_state(DeviceOfObject(d))); }>,
     METH_O, nullptr},
    {"_set_rng_state", SetStateOf, METH_VARARGS, nullptr},
    {"get_num_threads", F0<[] { return PyLong_FromLong(NumThreads()); }>, METH_NOARGS, nullptr},
    {"set_num_threads", F1<SetThreads>, METH_O, nullptr},
    {"get_default_dtype", F0<[] { return WordOf(DefaultDType()); }>, METH_NOARGS, nullptr},
    {"set_default_dtype", F1<SetDefault>, METH_O, nullptr},
    {"get_default_device", F0<[] { return WrapDevice(DefaultDevice()); }>, METH_NOARGS, nullptr},
    {"set_default_device", F1<[](PyObject* d) {
       SetDefaultDevice(d == Py_None ? kCpu : DeviceOfObject(d));
       return None();
     }>,
     METH_O, nullptr},
    {"_get_printoptions", F0<PrintOptionsOf>, METH_NOARGS, nullptr},
    {"_set_printoptions", F1<SetPrintOptions>, METH_O, nullptr},
    {"_finfo", F1<FloatFacts>, METH_O, nullptr},
    {"_iinfo", F1<IntFacts>, METH_O, nullptr},
    {"promote_types", Dtypes, METH_VARARGS, "The dtype that both convert to without loss of kind."},
    {"_explain", ExplainAs, METH_VARARGS, nullptr},
    {"load_plugin", F1<LoadPlugin>, METH_O,
     "load_plugin(path): opens a backend or operators; says what it holds."},
    {"unload_plugin", F1<UnloadPlugin>, METH_O,
     "unload_plugin(name): (whether it is gone, why not)."},
    {"loaded_plugins", F0<[] { return Plugins(loaded_plugins()); }>, METH_NOARGS, nullptr},
    {"list_plugins", F0<[] { return Plugins(list_plugins()); }>, METH_NOARGS,
     "Those in SWITCHYARD_PLUGIN_PATH, unopened."},
    {"_device_count", F1<Count>, METH_O, nullptr},
    {"_has_accelerator", F0<[] { return Bool(HasAccelerator()); }>, METH_NOARGS, nullptr},
    {"_current_accelerator", F0<[] { return WrapDevice(CurrentAccelerator()); }>, METH_NOARGS,
     nullptr},
    {"_current_device", F1<[](PyObject* type) {
       return PyLong_FromLong(CurrentDevice(FindDeviceType(TextOf(type))).index);
     }>,
     METH_O, nullptr},
    {"_set_device", F1<[](PyObject* d) {
       SetDevice(DeviceOfObject(d));
       return None();
     }>,
     METH_O, nullptr},
    {"_synchronize", F1<SynchronizeDevice>, METH_O, nullptr},
    {"use_deterministic_algorithms", F1<[](PyObject* on) {
       use_deterministic_algorithms(PyObject_IsTrue(on) == 1);
       return None();
     }>,
     METH_O, nullptr},
    {"are_deterministic_algorithms_enabled",
     F0<[] { return Bool(are_deterministic_algorithms_enabled()); }>, METH_NOARGS, nullptr},
    {"set_float32_matmul_precision", F1<[](PyObject* p) {
       set_float32_matmul_precision(TextOf(p));
       return None();
     }>,
     METH_O, nullptr},
    {"get_float32_matmul_precision", F0<[] { return Text(get_float32_matmul_precision()); }>,
     METH_NOARGS, nullptr},
    {"set_flush_denormal",
     F1<[](PyObject* on) { return Bool(set_flush_denormal(PyObject_IsTrue(on) == 1)); }>, METH_O,
     nullptr},
    {"_profiler", F0<NewProfiler>, METH_NOARGS, nullptr},
    {"_profiler_start", F1<StartProfiler>, METH_O, nullptr},
    {"_profiler_stop", F1<StopProfiler>, METH_O, nullptr},
    {"_profiler_table", F1<[](PyObject* p) { return Text(RecordingOf(p).profiler.Table()); }>,
     METH_O, nullptr},
    {"_profiler_trace", F1<[](PyObject* p) { return Text(RecordingOf(p).profiler.ChromeTrace()); }>,
     METH_O, nullptr},
    {"_profiler_entries", F1<ProfileEntries>, METH_O, nullptr},
    {}};

}  // namespace

void InitSettings(PyObject* module) {
  AddFunctions(module, functions);
  if (PyModule_AddStringConstant(module, "__version__", std::string(kVersion).c_str()) < 0) {
    ThrowPython();
  }
}

}  // namespace sy::python
