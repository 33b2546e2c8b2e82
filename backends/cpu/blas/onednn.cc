#include "switchyard/backends/cpu/blas/onednn.h"

#include <dlfcn.h>
#include <dnnl.h>

namespace sy::cpu {
namespace {

decltype(&dnnl_sgemm) FindGemm() {
  void* library = dlopen("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL);
  return library == nullptr ? nullptr
                            : reinterpret_cast<decltype(&dnnl_sgemm)>(dlsym(library, "dnnl_sgemm"));
}

}  // namespace

bool OneDnnGemm(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k, const void* a,
                int64_t lda, const void* b, int64_t ldb, void* c, int64_t ldc) {
  static const auto gemm = FindGemm();
  return gemm != nullptr && gemm(transpose_a ? 'T' : 'N', transpose_b ? 'T' : 'N', m, n, k, 1,
                                 static_cast<const float*>(a), lda, static_cast<const float*>(b),
                                 ldb, 0, static_cast<float*>(c), ldc) == dnnl_success;
}

}  // namespace sy::cpu
