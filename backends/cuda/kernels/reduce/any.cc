#include "backends/cuda/kernels/reduce/truth.h"

namespace sy::cuda {
namespace {

const Kernel any{"any.dims", "cuda", Mask(DType::kBool, DType::kUInt8), Truth<kAny>};

}  // namespace
}  // namespace sy::cuda
