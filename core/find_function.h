// A function of a library that was opened while the program runs.
//
//   int (*thread_num)() = nullptr;
//   if (!FindFunction(library, "omp_get_thread_num", thread_num)) …   // an older library
//
// The type is the caller's word: nothing tells whether the function has it.
// Owns: nothing; the library stays the caller's.
// Threads: any.
// Errors: none; false is the answer.
#ifndef SWITCHYARD_CORE_FIND_FUNCTION_H_
#define SWITCHYARD_CORE_FIND_FUNCTION_H_

#include <dlfcn.h>

namespace sy {

// F: a pointer to a function. False, and null, where the library has none of that name.
template <class F>
bool FindFunction(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace sy

#endif  // SWITCHYARD_CORE_FIND_FUNCTION_H_
