#include "switchyard/backends/cpu/blas/onednn.h"

#include "backends/cpu/blas/onednn_library.h"
#include "switchyard/backends/cpu/engine/isa.h"

namespace sy::cpu {
namespace {

// A row-major matrix, or a column-major one.
dnnl_memory_desc_t Layout(dnnl_data_type_t type, int64_t rows, int64_t columns, int64_t leading,
                          bool transposed) {
  const dnnl_dims_t sizes = {rows, columns};
  const dnnl_dims_t strides = {transposed ? 1 : leading, transposed ? leading : 1};
  dnnl_memory_desc_t layout;
  CheckOneDnn(OneDnnLibrary().layout_init(&layout, 2, sizes, type, strides));
  return layout;
}

// What computes it; null where there is none.
OneDnnOwned<dnnl_primitive_t> Matmul(const dnnl_memory_desc_t& a, const dnnl_memory_desc_t& b,
                                     const dnnl_memory_desc_t& c, bool keeps_to_the_stack) {
  const OneDnn& library = OneDnnLibrary();
  OneDnnOwned<dnnl_primitive_t> none(nullptr, library.primitive_destroy);
  dnnl_matmul_desc_t product;
  CheckOneDnn(library.matmul_init(&product, &a, &b, nullptr, &c));
  dnnl_primitive_desc_t desc;
  const dnnl_status_t status =
      library.desc_create(&desc, &product, nullptr, library.engine, nullptr);
  if (status == dnnl_unimplemented) return none;
  CheckOneDnn(status);
  const OneDnnOwned<dnnl_primitive_desc_t> owned(desc, library.desc_destroy);
  if (keeps_to_the_stack && !OneDnnKeepsToTheStack(desc)) return none;
  return OneDnnPrimitive(desc);
}

}  // namespace

bool OneDnnMultiplies(DType dtype) {
  static const bool may = BestIsa() == kAvx512;
  if (!may) return false;  // without opening it
  const OneDnn& library = OneDnnLibrary();
  if (!library.complete) return false;
  // Values hold the bits of lesser sets.
  const int needed =
      dtype == DType::kBFloat16 ? dnnl_cpu_isa_avx512_core_bf16 : dnnl_cpu_isa_avx512_core;
  return (library.isa() & needed) == needed;
}

bool OneDnnProduct(DType dtype, bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k,
                   const void* a, int64_t lda, const void* b, int64_t ldb, void* c, int64_t ldc) {
  if (!OneDnnLibrary().complete) return false;
  const bool bfloat16 = dtype == DType::kBFloat16;
  const dnnl_data_type_t type = bfloat16 ? dnnl_bf16 : dnnl_f32;
  const dnnl_memory_desc_t la = Layout(type, m, k, lda, transpose_a),
                           lb = Layout(type, k, n, ldb, transpose_b),
                           lc = Layout(type, m, n, ldc, false);
  // Its "gemm" of bfloat16 is another one, which does.
  const auto primitive = Matmul(la, lb, lc, /*keeps_to_the_stack=*/!bfloat16);
  if (primitive == nullptr) return false;
  const auto ma = OneDnnMemory(la, a), mb = OneDnnMemory(lb, b), mc = OneDnnMemory(lc, c);
  const dnnl_exec_arg_t args[] = {
      {DNNL_ARG_SRC, ma.get()}, {DNNL_ARG_WEIGHTS, mb.get()}, {DNNL_ARG_DST, mc.get()}};
  OneDnnExecute(primitive.get(), args);
  return true;
}

}  // namespace sy::cpu
