// Training: bench/gradients_list.h through our C++ API.

#include "bench/case.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/core/parallel.h"
#include "switchyard/ops.h"

namespace bench {

using namespace sy;  // NOLINT(google-build-using-namespace): the list's names are the API's

Tensor Leaf(const Tensor& t) { return requires_grad_(t); }
void Backward(const Tensor& loss) { backward(loss); }
Tensor GradOf(const Tensor& leaf) { return grad_of(leaf); }
void ClearGrad(const Tensor& leaf) { zero_grad(leaf); }
using Unrecorded = NoGrad;
Tensor MeanOf(const Tensor& t, int64_t dim) { return mean(t, dim); }
Tensor LengthsOf(const Tensor& t) { return linalg_vector_norm(t, 2, 1, /*keepdim=*/true); }
Tensor Numbers(int64_t end, int64_t rows, int64_t columns) {
  return randint(end, {rows, columns}, DType::kInt64);
}
void Prepare() { SetNumThreads(1); }

}  // namespace bench

#include "bench/gradients_list.h"
#include "bench/gradients_rows.h"
