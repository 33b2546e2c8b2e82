// A function of a library that was opened while the program runs.
#ifndef SWITCHYARD_BACKENDS_CPU_FIND_FUNCTION_H_
#define SWITCHYARD_BACKENDS_CPU_FIND_FUNCTION_H_

#include <dlfcn.h>

namespace sy::cpu {

// False where the library has none of that name.
template <class F>
bool FindFunction(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_FIND_FUNCTION_H_
