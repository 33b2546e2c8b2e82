// Training: bench/gradients_list.h through libtorch's C++ API.

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include "bench/case.h"

namespace bench {

using namespace at;  // NOLINT(google-build-using-namespace): the list's names are the API's

Tensor Leaf(const Tensor& t) { return t.detach().requires_grad_(); }
void Backward(const Tensor& loss) { loss.backward(); }
Tensor GradOf(const Tensor& leaf) { return leaf.grad(); }
void ClearGrad(const Tensor& leaf) { leaf.mutable_grad() = Tensor(); }
using Unrecorded = c10::NoGradGuard;
Tensor MeanOf(const Tensor& t, int64_t dim) { return t.mean(dim); }
Tensor LengthsOf(const Tensor& t) {
  return at::linalg_vector_norm(t, 2, at::IntArrayRef{1}, /*keepdim=*/true);
}
Tensor Numbers(int64_t end, int64_t rows, int64_t columns) {
  return at::randint(end, {rows, columns}, ScalarType::Long);
}
void Prepare() { at::set_num_threads(1); }

}  // namespace bench

#include "bench/gradients_list.h"
#include "bench/gradients_rows.h"
