// oneDNN itself, opened at first use, and what its calls have in common. For blas/ alone: users
// include onednn.h or onednn_convolution.h.
//
// The copy used here is ours alone (core/private_library.h): it believes that there is one
// thread, and runs in the calling one, whatever OpenMP says to the program. Blocks are given to it
// by ParallelFor's threads.
// Owns: the library, until the process ends.
// Threads: any.
// Errors: OneDnnLibrary().complete is false where it is not installed; kOutOfMemory when there is
// too little to open it or, from CheckOneDnn, to work in; else that throws kInternal.
#ifndef SWITCHYARD_BACKENDS_CPU_BLAS_ONEDNN_LIBRARY_H_
#define SWITCHYARD_BACKENDS_CPU_BLAS_ONEDNN_LIBRARY_H_

#include <dnnl.h>

#include <memory>
#include <span>
#include <type_traits>

namespace sy::cpu {

struct OneDnn {
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
  decltype(&dnnl_dilated_convolution_backward_data_desc_init) convolution_to_input_init = nullptr;
  decltype(&dnnl_dilated_convolution_backward_weights_desc_init) convolution_to_weight_init =
      nullptr;
  decltype(&dnnl_reorder_primitive_desc_create) reorder_create = nullptr;
  decltype(&dnnl_primitive_desc_query) desc_query = nullptr;
  decltype(&dnnl_primitive_desc_query_md) desc_query_layout = nullptr;
  decltype(&dnnl_primitive_desc_create) desc_create = nullptr;
  decltype(&dnnl_primitive_desc_destroy) desc_destroy = nullptr;
  decltype(&dnnl_primitive_create) primitive_create = nullptr;
  decltype(&dnnl_primitive_execute) primitive_execute = nullptr;
  decltype(&dnnl_primitive_destroy) primitive_destroy = nullptr;
  dnnl_engine_t engine = nullptr;
  bool complete = false;
};
const OneDnn& OneDnnLibrary();

void CheckOneDnn(dnnl_status_t status);

// What oneDNN makes and wants back.
template <class T>
using OneDnnOwned = std::unique_ptr<std::remove_pointer_t<T>, dnnl_status_t (*)(T)>;

// Whether what computes a description keeps to the stack that it was called on. The products of
// float32 matrices that oneDNN calls "gemm" (and convolutions by way of them) do not: on processors
// with AVX, where k is above a few dozen, they point the stack pointer into the heap, so that a
// signal's handler is run there, over other data. Source: jit_avx512_common_gemm_f32.cpp and
// jit_avx_gemm_f32.cpp of version 2.6, "mov(rsp, ARG_WS)".
bool OneDnnKeepsToTheStack(const_dnnl_primitive_desc_t desc);

OneDnnOwned<dnnl_memory_t> OneDnnMemory(const dnnl_memory_desc_t& layout, const void* data);
// Of a description, which stays the caller's. oneDNN keeps compiled primitives in a cache.
OneDnnOwned<dnnl_primitive_t> OneDnnPrimitive(const_dnnl_primitive_desc_t desc);
void OneDnnExecute(const_dnnl_primitive_t primitive, std::span<const dnnl_exec_arg_t> arguments);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_ONEDNN_LIBRARY_H_
