#include "backends/cuda/engine/triangle.h"

namespace sy::cuda {
namespace {

template <bool kUpper>
void Triangle(Call call, const Tensor& out, const Tensor& self, int64_t diagonal) {
  CopyTriangle(call, out, self, kUpper, diagonal);
}
const Kernel tril{"tril", "cuda", kAnyDType, Triangle<false>};
const Kernel triu{"triu", "cuda", kAnyDType, Triangle<true>};

}  // namespace
}  // namespace sy::cuda
