#include "backends/cuda/engine/launch.h"

#include "switchyard/core/error.h"

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

}  // namespace sy::cuda
