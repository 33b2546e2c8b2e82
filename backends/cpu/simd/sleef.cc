#include "switchyard/backends/cpu/simd/sleef.h"

#include <dlfcn.h>

namespace sy::cpu {

void* SleefFunction(const char* name) noexcept {
  static void* const library = dlopen("libsleef.so.3", RTLD_NOW | RTLD_LOCAL);
  return library == nullptr ? nullptr : dlsym(library, name);
}

}  // namespace sy::cpu
