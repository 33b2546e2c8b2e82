#include "backends/cpu/blas/onednn_library.h"

#include <dlfcn.h>

#include "switchyard/backends/cpu/find_function.h"
#include "switchyard/backends/cpu/openmp.h"
#include "switchyard/core/error.h"

namespace sy::cpu {
namespace {

OneDnn Load() {
  OneDnn d;
  void* library = dlopen("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return d;
  const auto find = [library](const char* name, auto& f) { return FindFunction(library, name, f); };
  d.complete =
      find("dnnl_sgemm", d.sgemm) && find("dnnl_get_effective_cpu_isa", d.isa) &&
      find("dnnl_engine_create", d.engine_create) && find("dnnl_stream_create", d.stream_create) &&
      find("dnnl_stream_wait", d.stream_wait) && find("dnnl_stream_destroy", d.stream_destroy) &&
      find("dnnl_memory_desc_init_by_strides", d.layout_init) &&
      find("dnnl_memory_desc_init_by_tag", d.layout_of_tag) &&
      find("dnnl_memory_desc_equal", d.layout_equal) &&
      find("dnnl_memory_desc_get_size", d.layout_size) &&
      find("dnnl_memory_create", d.memory_create) &&
      find("dnnl_memory_destroy", d.memory_destroy) &&
      find("dnnl_matmul_desc_init", d.matmul_init) &&
      find("dnnl_dilated_convolution_forward_desc_init", d.convolution_init) &&
      find("dnnl_reorder_primitive_desc_create", d.reorder_create) &&
      find("dnnl_primitive_desc_query_md", d.desc_query) &&
      find("dnnl_primitive_desc_create", d.desc_create) &&
      find("dnnl_primitive_desc_destroy", d.desc_destroy) &&
      find("dnnl_primitive_create", d.primitive_create) &&
      find("dnnl_primitive_execute", d.primitive_execute) &&
      find("dnnl_primitive_destroy", d.primitive_destroy) &&
      d.engine_create(&d.engine, dnnl_cpu, 0) == dnnl_success;
  return d;
}

}  // namespace

const OneDnn& OneDnnLibrary() {
  static const OneDnn library = Load();
  return library;
}

OneDnnThread::OneDnnThread() {
  const OpenMp* omp = OpenMpRuntime();
  if (omp == nullptr) return;
  before_ = omp->max_threads();
  omp->set_num_threads(1);
}
OneDnnThread::~OneDnnThread() {
  if (before_ != 0) OpenMpRuntime()->set_num_threads(before_);
}

void CheckOneDnn(dnnl_status_t status) {
  if (status == dnnl_success) return;
  Fail(ErrorCode::kInternal,
       {"oneDNN refused a computation: status ", static_cast<int64_t>(status)});
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
