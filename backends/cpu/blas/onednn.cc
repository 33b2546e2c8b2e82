#include "switchyard/backends/cpu/blas/onednn.h"

#include <dlfcn.h>
#include <dnnl.h>
#include <omp.h>

namespace sy::cpu {
namespace {

decltype(&dnnl_sgemm) FindGemm() {
  void* library = dlopen("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL);
  return library == nullptr ? nullptr
                            : reinterpret_cast<decltype(&dnnl_sgemm)>(dlsym(library, "dnnl_sgemm"));
}

// Keeps oneDNN, which asks OpenMP how many threads there are, in the calling one.
class OneThread {
 public:
  OneThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~OneThread() { omp_set_num_threads(before_); }
  OneThread(const OneThread&) = delete;

 private:
  int before_;
};

}  // namespace

bool OneDnnGemm(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k, const void* a,
                int64_t lda, const void* b, int64_t ldb, void* c, int64_t ldc) {
  static const auto gemm = FindGemm();
  return gemm != nullptr && gemm(transpose_a ? 'T' : 'N', transpose_b ? 'T' : 'N', m, n, k, 1,
                                 static_cast<const float*>(a), lda, static_cast<const float*>(b),
                                 ldb, 0, static_cast<float*>(c), ldc) == dnnl_success;
}

}  // namespace sy::cpu
