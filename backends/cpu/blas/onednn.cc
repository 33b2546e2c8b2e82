#include "switchyard/backends/cpu/blas/onednn.h"

#include "backends/cpu/blas/onednn_library.h"

namespace sy::cpu {
namespace {

// A row-major matrix of bfloat16, or a column-major one.
dnnl_memory_desc_t Layout(int64_t rows, int64_t columns, int64_t leading, bool transposed) {
  const dnnl_dims_t sizes = {rows, columns};
  const dnnl_dims_t strides = {transposed ? 1 : leading, transposed ? leading : 1};
  dnnl_memory_desc_t layout;
  CheckOneDnn(OneDnnLibrary().layout_init(&layout, 2, sizes, dnnl_bf16, strides));
  return layout;
}

OneDnnOwned<dnnl_primitive_t> Matmul(const dnnl_memory_desc_t& a, const dnnl_memory_desc_t& b,
                                     const dnnl_memory_desc_t& c) {
  dnnl_matmul_desc_t product;
  CheckOneDnn(OneDnnLibrary().matmul_init(&product, &a, &b, nullptr, &c));
  dnnl_primitive_desc_t desc;
  CheckOneDnn(
      OneDnnLibrary().desc_create(&desc, &product, nullptr, OneDnnLibrary().engine, nullptr));
  const OneDnnOwned<dnnl_primitive_desc_t> owned(desc, OneDnnLibrary().desc_destroy);
  return OneDnnPrimitive(desc);
}

}  // namespace

bool OneDnnGemm(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k, const void* a,
                int64_t lda, const void* b, int64_t ldb, void* c, int64_t ldc) {
  if (!OneDnnLibrary().complete) return false;
  const OneDnnThread scope;
  return OneDnnLibrary().sgemm(transpose_a ? 'T' : 'N', transpose_b ? 'T' : 'N', m, n, k, 1,
                               static_cast<const float*>(a), lda, static_cast<const float*>(b), ldb,
                               0, static_cast<float*>(c), ldc) == dnnl_success;
}

bool OneDnnHasBFloat16() {
  constexpr int kNeeded = dnnl_cpu_isa_avx512_core_bf16;  // values hold the bits of lesser sets
  static const bool has = OneDnnLibrary().complete && (OneDnnLibrary().isa() & kNeeded) == kNeeded;
  return has;
}

void OneDnnBFloat16Gemm(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k,
                        const void* a, int64_t lda, const void* b, int64_t ldb, void* c,
                        int64_t ldc) {
  const OneDnnThread scope;
  const dnnl_memory_desc_t la = Layout(m, k, lda, transpose_a), lb = Layout(k, n, ldb, transpose_b),
                           lc = Layout(m, n, ldc, false);
  const auto primitive = Matmul(la, lb, lc);
  const auto ma = OneDnnMemory(la, a), mb = OneDnnMemory(lb, b), mc = OneDnnMemory(lc, c);
  const dnnl_exec_arg_t args[] = {
      {DNNL_ARG_SRC, ma.get()}, {DNNL_ARG_WEIGHTS, mb.get()}, {DNNL_ARG_DST, mc.get()}};
  OneDnnExecute(primitive.get(), args);
}

}  // namespace sy::cpu
