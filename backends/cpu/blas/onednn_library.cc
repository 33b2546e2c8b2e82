#include "backends/cpu/blas/onednn_library.h"

#include <string_view>

#include "switchyard/core/error.h"
#include "switchyard/core/find_function.h"
#include "switchyard/core/on_demand.h"
#include "switchyard/core/openmp.h"
#include "switchyard/core/private_library.h"

namespace sy::cpu {
namespace {

// --- What our copy gets instead of the system's functions.

int OneThread() { return 1; }
// Its caches and mutexes live on: static destructors may compute, and threads that are still there.
int NeverAtExit(void (*)(void*), void*, void*) { return 0; }

const Import kImports[] = {{"omp_get_max_threads", reinterpret_cast<void*>(OneThread)},
                           {"__cxa_atexit", reinterpret_cast<void*>(NeverAtExit)}};

bool Load(OneDnn& d) {
#if !defined(__x86_64__)
  // Elsewhere most of it is reference code, slower than products by OpenBLAS: as if it were
  // missing.
  return false;
#endif
  OpenBeside({"libgomp.so.1", "libOpenCL.so.1"});
  const auto [library, is_private] = OpenPrivately("libdnnl.so.2", kImports);
  if (library == nullptr) return false;
  if (!is_private && OpenMpThreadsAreGone()) return false;  // it would wait for them for ever
  const auto find = [lib = library](const char* name, auto& f) {
    return FindFunction(lib, name, f);
  };
  d.complete =
      find("dnnl_get_effective_cpu_isa", d.isa) && find("dnnl_engine_create", d.engine_create) &&
      find("dnnl_stream_create", d.stream_create) && find("dnnl_stream_wait", d.stream_wait) &&
      find("dnnl_stream_destroy", d.stream_destroy) &&
      find("dnnl_memory_desc_init_by_strides", d.layout_init) &&
      find("dnnl_memory_desc_init_by_tag", d.layout_of_tag) &&
      find("dnnl_memory_desc_equal", d.layout_equal) &&
      find("dnnl_memory_desc_get_size", d.layout_size) &&
      find("dnnl_memory_create", d.memory_create) &&
      find("dnnl_memory_destroy", d.memory_destroy) &&
      find("dnnl_matmul_desc_init", d.matmul_init) &&
      find("dnnl_dilated_convolution_forward_desc_init", d.convolution_init) &&
      find("dnnl_dilated_convolution_backward_data_desc_init", d.convolution_to_input_init) &&
      find("dnnl_dilated_convolution_backward_weights_desc_init", d.convolution_to_weight_init) &&
      find("dnnl_reorder_primitive_desc_create", d.reorder_create) &&
      find("dnnl_primitive_desc_query", d.desc_query) &&
      find("dnnl_primitive_desc_query_md", d.desc_query_layout) &&
      find("dnnl_primitive_desc_create", d.desc_create) &&
      find("dnnl_primitive_desc_destroy", d.desc_destroy) &&
      find("dnnl_primitive_create", d.primitive_create) &&
      find("dnnl_primitive_execute", d.primitive_execute) &&
      find("dnnl_primitive_destroy", d.primitive_destroy) &&
      d.engine_create(&d.engine, dnnl_cpu, 0) == dnnl_success;
  return d.complete;
}

constinit OnDemand<OneDnn> onednn(Load);

const sy::internal::AtFork at_fork{sy::internal::ForkRank::kLibraries,
                                   [](sy::internal::ForkPhase phase) { onednn.OnFork(phase); }};

}  // namespace

const OneDnn& OneDnnLibrary() {
  static constexpr OneDnn kMissing;
  const OneDnn* const library = onednn.Get();
  return library == nullptr ? kMissing : *library;
}

void CheckOneDnn(dnnl_status_t status) {
  if (status == dnnl_success) return;
  if (status == dnnl_out_of_memory)
    Fail(ErrorCode::kOutOfMemory, "cpu: out of memory: oneDNN had too little to work in");
  Fail(ErrorCode::kInternal,
       {"oneDNN refused a computation: status ", static_cast<int64_t>(status)});
}

bool OneDnnKeepsToTheStack(const_dnnl_primitive_desc_t desc) {
  const char* text = nullptr;
  CheckOneDnn(OneDnnLibrary().desc_query(desc, dnnl_query_impl_info_str, 0, &text));
  const std::string_view name(text);  // "x64:gemm:jit", "brg:avx512_core"
  const size_t at = name.find("gemm:");
  return at == std::string_view::npos || (at >= 2 && name.substr(at - 2, 2) == "br");
}

OneDnnOwned<dnnl_memory_t> OneDnnMemory(const dnnl_memory_desc_t& layout, const void* data) {
  const OneDnn& library = OneDnnLibrary();
  dnnl_memory_t memory;
  CheckOneDnn(library.memory_create(&memory, &layout, library.engine, const_cast<void*>(data)));
  return {memory, library.memory_destroy};
}

OneDnnOwned<dnnl_primitive_t> OneDnnPrimitive(const_dnnl_primitive_desc_t desc) {
  dnnl_primitive_t primitive;
  CheckOneDnn(OneDnnLibrary().primitive_create(&primitive, desc));
  return {primitive, OneDnnLibrary().primitive_destroy};
}

void OneDnnExecute(const_dnnl_primitive_t primitive, std::span<const dnnl_exec_arg_t> arguments) {
  const OneDnn& library = OneDnnLibrary();
  dnnl_stream_t created;
  CheckOneDnn(library.stream_create(&created, library.engine, dnnl_stream_default_flags));
  const OneDnnOwned<dnnl_stream_t> stream(created, library.stream_destroy);
  CheckOneDnn(library.primitive_execute(primitive, stream.get(), static_cast<int>(arguments.size()),
                                        arguments.data()));
  CheckOneDnn(library.stream_wait(stream.get()));
}

}  // namespace sy::cpu
