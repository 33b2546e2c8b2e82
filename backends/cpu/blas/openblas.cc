#include "switchyard/backends/cpu/blas/openblas.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/core/error.h"

namespace sy::cpu {
namespace {

constexpr const char* kFile = "libopenblas.so.0";
constexpr const char* kCoreVariable = "OPENBLAS_CORETYPE";

template <class F>
bool Find(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

// Which of its kernels OpenBLAS has chosen for this processor: "Haswell".
std::string_view CoreName(void* library) {
  const char* (*name)();
  return Find(library, "openblas_get_corename", name) ? name() : std::string_view();
}

bool UsesIsa(std::string_view core, Isa isa) {
  constexpr std::string_view kAvx512Cores[] = {"SkylakeX", "Cooperlake", "SapphireRapids", "Zen4"};
  constexpr std::string_view kAvx2Cores[] = {"Haswell", "Zen", "Excavator"};
  const auto in = [core](const auto& names) {
    return std::find(std::begin(names), std::end(names), core) != std::end(names);
  };
  return isa == kBaseline || in(kAvx512Cores) || (isa == kAvx2 && in(kAvx2Cores));
}

void* Open() { return dlopen(kFile, RTLD_NOW | RTLD_LOCAL); }

// OpenBLAS knows processors by family and model, and takes those made after it for very old ones
// (Prescott), at a tenth of the speed. It listens to a variable of the environment only while it
// is opened: where it chose badly, it is opened again, told what to use.
void* OpenForThisProcessor() {
  void* library = Open();
  if (library == nullptr || getenv(kCoreVariable) != nullptr) return library;
  const Isa isa = BestIsa();
  if (UsesIsa(CoreName(library), isa)) return library;
  dlclose(library);
  setenv(kCoreVariable, isa == kAvx512 ? "SkylakeX" : "Haswell", 0);
  library = Open();
  unsetenv(kCoreVariable);
  return library;
}

bool Load(OpenBlas& b) {
  void* library = OpenForThisProcessor();
  if (library == nullptr) return false;
  void (*set_num_threads)(int);
  const bool complete =
      Find(library, "openblas_set_num_threads", set_num_threads) &&
      Find(library, "cblas_sgemm", b.sgemm) && Find(library, "cblas_dgemm", b.dgemm) &&
      Find(library, "cblas_cgemm", b.cgemm) && Find(library, "cblas_zgemm", b.zgemm) &&
      Find(library, "cblas_sgemv", b.sgemv) && Find(library, "cblas_dgemv", b.dgemv) &&
      Find(library, "cblas_cgemv", b.cgemv) && Find(library, "cblas_zgemv", b.zgemv) &&
      Find(library, "cblas_sdot", b.sdot) && Find(library, "cblas_ddot", b.ddot) &&
      Find(library, "cblas_cdotu_sub", b.cdotu) && Find(library, "cblas_zdotu_sub", b.zdotu) &&
      Find(library, "sgesdd_", b.sgesdd) && Find(library, "dgesdd_", b.dgesdd) &&
      Find(library, "cgesdd_", b.cgesdd) && Find(library, "zgesdd_", b.zgesdd);
  if (complete) set_num_threads(1);
  return complete;
}

}  // namespace

const OpenBlas* OpenBlas::Get() {
  static OpenBlas functions;
  static const bool loaded = Load(functions);
  return loaded ? &functions : nullptr;
}

const OpenBlas& OpenBlas::GetOrFail(std::string_view op) {
  if (const OpenBlas* blas = Get()) return *blas;
  Fail(ErrorCode::kUnavailable, {op, "(): needs OpenBLAS: cannot open ", kFile});
}

}  // namespace sy::cpu
