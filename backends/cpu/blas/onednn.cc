#include "switchyard/backends/cpu/blas/onednn.h"

#include <dlfcn.h>
#include <dnnl.h>
#include <omp.h>

#include <memory>
#include <type_traits>

#include "switchyard/core/error.h"

namespace sy::cpu {
namespace {

struct OneDnn {
  decltype(&dnnl_sgemm) sgemm = nullptr;
  decltype(&dnnl_get_effective_cpu_isa) isa = nullptr;
  decltype(&dnnl_engine_create) engine_create = nullptr;
  decltype(&dnnl_stream_create) stream_create = nullptr;
  decltype(&dnnl_stream_wait) stream_wait = nullptr;
  decltype(&dnnl_stream_destroy) stream_destroy = nullptr;
  decltype(&dnnl_memory_desc_init_by_strides) layout_init = nullptr;
  decltype(&dnnl_memory_create) memory_create = nullptr;
  decltype(&dnnl_memory_destroy) memory_destroy = nullptr;
  decltype(&dnnl_matmul_desc_init) matmul_init = nullptr;
  decltype(&dnnl_primitive_desc_create) desc_create = nullptr;
  decltype(&dnnl_primitive_desc_destroy) desc_destroy = nullptr;
  decltype(&dnnl_primitive_create) primitive_create = nullptr;
  decltype(&dnnl_primitive_execute) primitive_execute = nullptr;
  decltype(&dnnl_primitive_destroy) primitive_destroy = nullptr;
  dnnl_engine_t engine = nullptr;
  bool complete = false;
};

OneDnn Load() {
  OneDnn d;
  void* library = dlopen("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return d;
  const auto find = [library](const char* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    return function != nullptr;
  };
  d.complete =
      find("dnnl_sgemm", d.sgemm) && find("dnnl_get_effective_cpu_isa", d.isa) &&
      find("dnnl_engine_create", d.engine_create) && find("dnnl_stream_create", d.stream_create) &&
      find("dnnl_stream_wait", d.stream_wait) && find("dnnl_stream_destroy", d.stream_destroy) &&
      find("dnnl_memory_desc_init_by_strides", d.layout_init) &&
      find("dnnl_memory_create", d.memory_create) &&
      find("dnnl_memory_destroy", d.memory_destroy) &&
      find("dnnl_matmul_desc_init", d.matmul_init) &&
      find("dnnl_primitive_desc_create", d.desc_create) &&
      find("dnnl_primitive_desc_destroy", d.desc_destroy) &&
      find("dnnl_primitive_create", d.primitive_create) &&
      find("dnnl_primitive_execute", d.primitive_execute) &&
      find("dnnl_primitive_destroy", d.primitive_destroy) &&
      d.engine_create(&d.engine, dnnl_cpu, 0) == dnnl_success;
  return d;
}

const OneDnn& Library() {
  static const OneDnn library = Load();
  return library;
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

void Check(dnnl_status_t status) {
  if (status != dnnl_success) {
    Fail(ErrorCode::kInternal,
         {"oneDNN refused a product of bfloat16 matrices: status ", static_cast<int64_t>(status)});
  }
}

// What oneDNN makes and wants back.
template <class T>
using Owned = std::unique_ptr<std::remove_pointer_t<T>, dnnl_status_t (*)(T)>;

// A row-major matrix of bfloat16, or a column-major one.
dnnl_memory_desc_t Layout(int64_t rows, int64_t columns, int64_t leading, bool transposed) {
  const dnnl_dims_t sizes = {rows, columns};
  const dnnl_dims_t strides = {transposed ? 1 : leading, transposed ? leading : 1};
  dnnl_memory_desc_t layout;
  Check(Library().layout_init(&layout, 2, sizes, dnnl_bf16, strides));
  return layout;
}

Owned<dnnl_memory_t> Memory(const dnnl_memory_desc_t& layout, const void* data) {
  dnnl_memory_t memory;
  Check(Library().memory_create(&memory, &layout, Library().engine, const_cast<void*>(data)));
  return {memory, Library().memory_destroy};
}

// oneDNN keeps compiled primitives in a cache of its own.
Owned<dnnl_primitive_t> Matmul(const dnnl_memory_desc_t& a, const dnnl_memory_desc_t& b,
                               const dnnl_memory_desc_t& c) {
  dnnl_matmul_desc_t product;
  Check(Library().matmul_init(&product, &a, &b, nullptr, &c));
  dnnl_primitive_desc_t desc;
  Check(Library().desc_create(&desc, &product, nullptr, Library().engine, nullptr));
  const Owned<dnnl_primitive_desc_t> owned(desc, Library().desc_destroy);
  dnnl_primitive_t primitive;
  Check(Library().primitive_create(&primitive, desc));
  return {primitive, Library().primitive_destroy};
}

}  // namespace

bool OneDnnGemm(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k, const void* a,
                int64_t lda, const void* b, int64_t ldb, void* c, int64_t ldc) {
  if (!Library().complete) return false;
  const OneThread scope;
  return Library().sgemm(transpose_a ? 'T' : 'N', transpose_b ? 'T' : 'N', m, n, k, 1,
                         static_cast<const float*>(a), lda, static_cast<const float*>(b), ldb, 0,
                         static_cast<float*>(c), ldc) == dnnl_success;
}

bool OneDnnHasBFloat16() {
  constexpr int kNeeded = dnnl_cpu_isa_avx512_core_bf16;  // values hold the bits of lesser sets
  static const bool has = Library().complete && (Library().isa() & kNeeded) == kNeeded;
  return has;
}

void OneDnnBFloat16Gemm(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k,
                        const void* a, int64_t lda, const void* b, int64_t ldb, void* c,
                        int64_t ldc) {
  const OneThread scope;
  const dnnl_memory_desc_t la = Layout(m, k, lda, transpose_a), lb = Layout(k, n, ldb, transpose_b),
                           lc = Layout(m, n, ldc, false);
  const auto primitive = Matmul(la, lb, lc);
  const auto ma = Memory(la, a), mb = Memory(lb, b), mc = Memory(lc, c);
  dnnl_stream_t created;
  Check(Library().stream_create(&created, Library().engine, dnnl_stream_default_flags));
  const Owned<dnnl_stream_t> stream(created, Library().stream_destroy);
  const dnnl_exec_arg_t args[] = {
      {DNNL_ARG_SRC, ma.get()}, {DNNL_ARG_WEIGHTS, mb.get()}, {DNNL_ARG_DST, mc.get()}};
  Check(Library().primitive_execute(primitive.get(), stream.get(), 3, args));
  Check(Library().stream_wait(stream.get()));
}

}  // namespace sy::cpu
