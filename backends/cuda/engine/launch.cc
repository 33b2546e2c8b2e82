#include "backends/cuda/engine/launch.h"

#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {

void LaunchKernel(CudaStream& stream, CUfunction kernel, const Grid& grid, void* args,
                  std::string_view op) {
  if (grid.blocks == 0 || grid.blocks_y == 0) return;
  constexpr int64_t kMostBlocks = INT32_MAX, kMostBlocksY = 65535;
  if (grid.blocks > kMostBlocks || grid.blocks_y > kMostBlocksY) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"too many elements for one launch: ", grid.blocks, " by ", grid.blocks_y, " blocks"});
  }
  Launching launching(stream, op);
  const InUse on = stream.state().Use();
  void* params[] = {args};
  stream.Check(Driver().LaunchKernel(kernel, static_cast<unsigned>(grid.blocks),
                                     static_cast<unsigned>(grid.blocks_y), 1,
                                     static_cast<unsigned>(grid.threads), 1, 1, 0, stream.handle(),
                                     params, nullptr),
               op);
  launching.Done();
}

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
