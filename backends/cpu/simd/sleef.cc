#include "switchyard/backends/cpu/simd/sleef.h"

#include <dlfcn.h>

#include "switchyard/core/on_demand.h"
#include "switchyard/core/private_library.h"

namespace sy::cpu {
namespace {

constinit OnDemand<void*> sleef([](void*& library) {
  library = OpenShared("libsleef.so.3");
  return library != nullptr;
});

const sy::internal::AtFork at_fork{
    sy::internal::ForkRank::kLibraries,
    [](sy::internal::ForkPhase phase) { sleef.OnFork(phase, /*keeps=*/true); }};

}  // namespace

void* SleefFunction(const char* name) noexcept {
  try {
    void* const* const library = sleef.Get();
    return library == nullptr ? nullptr : dlsym(*library, name);
  } catch (...) {  // for want of memory
    return nullptr;
  }
}

}  // namespace sy::cpu
