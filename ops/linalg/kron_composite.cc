// kron by one product of what broadcasts.

#include <algorithm>
#include <vector>

#include "switchyard/core/checked.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// Each dimension of self beside that of other.
Tensor Kron(Call call, const Tensor& self, const Tensor& other) {
  const int64_t rank = std::max(self.dim(), other.dim());
  std::vector<int64_t> a, b, sizes;
  for (int64_t i = 0; i < rank; ++i) {
    const auto size = [&](const Tensor& t) {
      const int64_t d = i - (rank - t.dim());
      return d < 0 ? 1 : t.sizes()[static_cast<size_t>(d)];
    };
    a.insert(a.end(), {size(self), 1});
    b.insert(b.end(), {1, size(other)});
    sizes.push_back(CheckedProduct(call, "a size of the result", size(self), size(other)));
  }
  return reshape(mul(reshape(self, a), reshape(other, b)), sizes);
}
const Composite kron_body{"kron", Kron};

}  // namespace
}  // namespace sy
