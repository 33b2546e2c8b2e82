#include "backends/cuda/plan/kernel_source.h"

#include "third_party/fmt/format.h"

namespace sy::cuda {

std::string KernelSource(const char* header, const char* args, const std::string& body,
                         Bounds bounds) {
  const std::string name = body.substr(0, body.find_first_of("<("));
  const std::string kernel = bounds.threads == 0
                                 ? fmt::format("SY_CUDA_KERNEL({}Kernel, {}, ", name, args)
                                 : fmt::format("SY_CUDA_BOUNDED_KERNEL({}Kernel, {}, {}, {}, ",
                                               name, bounds.threads, bounds.blocks, args);
  return fmt::format(
      "#include \"switchyard/backends/cuda/device/{}.h\"\n"
      "namespace sy::cuda {{\n"
      "{}({}))\n"
      "}}\n",
      header, kernel, body);
}

}  // namespace sy::cuda
