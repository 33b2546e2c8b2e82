#include "switchyard/backends/cpu/openmp.h"

#include <dlfcn.h>

#include "switchyard/backends/cpu/find_function.h"
#include "switchyard/core/logging.h"

namespace sy::cpu {
namespace {

const OpenMp* Open() {
  static OpenMp omp = {};
  void* library = dlopen("libgomp.so.1", RTLD_NOW | RTLD_LOCAL);
  const auto find = [library](const char* name, auto& f) { return FindFunction(library, name, f); };
  if (library != nullptr && find("GOMP_parallel", omp.parallel) &&
      find("omp_get_thread_num", omp.thread_num) && find("omp_get_num_threads", omp.num_threads) &&
      find("omp_in_parallel", omp.in_parallel) && find("omp_get_max_threads", omp.max_threads) &&
      find("omp_set_num_threads", omp.set_num_threads))
    return &omp;
  Log(LogLevel::kWarning, "cpu: libgomp.so.1 is not there: operators use one thread");
  return nullptr;
}

}  // namespace

const OpenMp* OpenMpRuntime() {
  static const OpenMp* const runtime = Open();
  return runtime;
}

}  // namespace sy::cpu
