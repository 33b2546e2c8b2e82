#include "backends/cuda/kernels/reduce/truth.h"

namespace sy::cuda {
namespace {

const Kernel all{"all.dims", "cuda", Mask(DType::kBool, DType::kUInt8), Truth<kAll>};

}  // namespace
}  // namespace sy::cuda
