#include "switchyard/backends/cpu/init.h"

#include "backends/cpu/blas/onednn_library.h"
#include "switchyard/backends/cpu/blas/openblas.h"
#include "switchyard/backends/cpu/simd/sleef.h"
#include "switchyard/core/parallel.h"

namespace sy::cpu {

void Init() {
  NumThreads();
  OpenBlas::Get();
  OneDnnLibrary();
  SleefFunction("Sleef_fmodf4_sse2");
}

}  // namespace sy::cpu
