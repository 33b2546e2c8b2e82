// oneDNN itself, opened at first use, and what its calls have in common. For blas/ alone: users
// include onednn.h or onednn_convolution.h.
//
// It runs in the calling thread alone, as OpenBLAS does here: blocks are given to it by
// ParallelFor's threads.
// Owns: the library, until the process ends.
// Threads: any.
// Errors: OneDnnLibrary().complete is false where it is not installed; CheckOneDnn throws
// kInternal.
#ifndef SWITCHYARD_BACKENDS_CPU_BLAS_ONEDNN_LIBRARY_H_
#define SWITCHYARD_BACKENDS_CPU_BLAS_ONEDNN_LIBRARY_H_

#include <dnnl.h>

#include <memory>
#include <span>
#include <type_traits>

namespace sy::cpu {

struct OneDnn {
  decltype(&dnnl_sgemm) sgemm = nullptr;
  decltype(&dnnl_get_effective_cpu_isa) isa = nullptr;
  decltype(&dnnl_engine_create) engine_create = nullptr;
  decltype(&dnnl_stream_create) stream_create = nullptr;
  decltype(&dnnl_stream_wait) stream_wait = nullptr;
  decltype(&dnnl_stream_destroy) stream_destroy = nullptr;
  decltype(&dnnl_memory_desc_init_by_strides) layout_init = nullptr;
  decltype(&dnnl_memory_desc_init_by_tag) layout_of_tag = nullptr;
  decltype(&dnnl_memory_desc_equal) layout_equal = nullptr;
  decltype(&dnnl_memory_desc_get_size) layout_size = nullptr;
  decltype(&dnnl_memory_create) memory_create = nullptr;
  decltype(&dnnl_memory_destroy) memory_destroy = nullptr;
  decltype(&dnnl_matmul_desc_init) matmul_init = nullptr;
  decltype(&dnnl_dilated_convolution_forward_desc_init) convolution_init = nullptr;
  decltype(&dnnl_reorder_primitive_desc_create) reorder_create = nullptr;
  decltype(&dnnl_primitive_desc_query_md) desc_query = nullptr;
  decltype(&dnnl_primitive_desc_create) desc_create = nullptr;
  decltype(&dnnl_primitive_desc_destroy) desc_destroy = nullptr;
  decltype(&dnnl_primitive_create) primitive_create = nullptr;
  decltype(&dnnl_primitive_execute) primitive_execute = nullptr;
  decltype(&dnnl_primitive_destroy) primitive_destroy = nullptr;
  dnnl_engine_t engine = nullptr;
  bool complete = false;
};
const OneDnn& OneDnnLibrary();

// Keeps oneDNN, which asks OpenMP how many threads there are, in the calling one.
class OneDnnThread {
 public:
  OneDnnThread();
  ~OneDnnThread();
  OneDnnThread(const OneDnnThread&) = delete;

 private:
  int before_ = 0;  // 0: without OpenMP there is one anyway
};

void CheckOneDnn(dnnl_status_t status);

// What oneDNN makes and wants back.
template <class T>
using OneDnnOwned = std::unique_ptr<std::remove_pointer_t<T>, dnnl_status_t (*)(T)>;

OneDnnOwned<dnnl_memory_t> OneDnnMemory(const dnnl_memory_desc_t& layout, const void* data);
// Of a description, which stays the caller's. oneDNN keeps compiled primitives in a cache.
OneDnnOwned<dnnl_primitive_t> OneDnnPrimitive(const_dnnl_primitive_desc_t desc);
void OneDnnExecute(const_dnnl_primitive_t primitive, std::span<const dnnl_exec_arg_t> arguments);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_ONEDNN_LIBRARY_H_
