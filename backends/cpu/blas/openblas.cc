#include "switchyard/backends/cpu/blas/openblas.h"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>

#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/backends/cpu/find_function.h"
#include "switchyard/backends/cpu/parallel.h"
#include "switchyard/core/error.h"

namespace sy::cpu {
namespace {

constexpr const char* kFile = "libopenblas.so.0";
constexpr const char* kCoreVariable = "OPENBLAS_CORETYPE";

// Which of its kernels OpenBLAS has chosen for this processor: "Haswell".
std::string_view CoreName(void* library) {
  const char* (*name)();
  return FindFunction(library, "openblas_get_corename", name) ? name() : std::string_view();
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
  const auto find = [library](const char* name, auto& f) { return FindFunction(library, name, f); };
  const bool complete = find("openblas_set_num_threads", b.set_num_threads) &&
                        find("cblas_sgemm", b.sgemm) && find("cblas_dgemm", b.dgemm) &&
                        find("cblas_cgemm", b.cgemm) && find("cblas_zgemm", b.zgemm) &&
                        find("cblas_sgemv", b.sgemv) && find("cblas_dgemv", b.dgemv) &&
                        find("cblas_cgemv", b.cgemv) && find("cblas_zgemv", b.zgemv) &&
                        find("cblas_sdot", b.sdot) && find("cblas_ddot", b.ddot) &&
                        find("cblas_cdotu_sub", b.cdotu) && find("cblas_zdotu_sub", b.zdotu);
  b.library = library;
  if (complete) b.set_num_threads(1);
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

namespace {

std::atomic<bool> runs_in_several{false};

}  // namespace

BlasThreads::BlasThreads()
    : several_(OpenBlas::Get() != nullptr && NumThreads() > 1 && !runs_in_several.exchange(true)) {
  if (several_) OpenBlas::Get()->set_num_threads(NumThreads());
}
BlasThreads::~BlasThreads() {
  if (!several_) return;
  OpenBlas::Get()->set_num_threads(1);
  runs_in_several = false;
}

}  // namespace sy::cpu
