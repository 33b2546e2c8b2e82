// The module switchyard._core: what the Python files of the package stand on.

#include "python/core/python.h"

namespace sy::python {

PyTypeObject* AddType(PyObject* module, PyType_Spec* spec, PyObject* bases) {
  PyObject* type =
      Checked(bases == nullptr ? PyType_FromSpec(spec) : PyType_FromSpecWithBases(spec, bases));
  const std::string_view name = spec->name;
  const std::string own(name.substr(name.rfind('.') + 1));
  if (PyModule_AddObjectRef(module, own.c_str(), type) < 0) ThrowPython();
  return reinterpret_cast<PyTypeObject*>(type);
}

void AddFunctions(PyObject* module, PyMethodDef* table) {
  if (PyModule_AddFunctions(module, table) < 0) ThrowPython();
}

}  // namespace sy::python

PyMODINIT_FUNC PyInit__core() {
  using namespace sy::python;
  static PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                   "switchyard._core",
                                   "Switchyard's runtime; the package has what is documented.",
                                   -1,
                                   nullptr,
                                   nullptr,
                                   nullptr,
                                   nullptr,
                                   nullptr};
  Ref module(PyModule_Create(&definition));
  if (!module) return nullptr;
  return Guard([&] {
    InitErrors(module.get());
    InitWords(module.get());
    InitTensor(module.get());
    InitCall(module.get());
    InitOperators();
    InitLiteral(module.get());
    InitExchange(module.get());
    InitFiles(module.get());
    InitAutograd(module.get());
    InitTransforms(module.get());
    InitSettings(module.get());
    InitLibrary(module.get());
    return module.release();
  });
}
