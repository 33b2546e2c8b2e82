#include "backends/cpu/kernels/index/combine_elements.h"
#include "switchyard/backends/cpu/engine/positions.h"

namespace sy::cpu {
namespace {

int64_t CheckedDim(Call call, const Tensor& out, int64_t dim, const Tensor& index) {
  RequirePositions(call, index, dim, out.dim() == 0 ? 1 : out.sizes()[dim]);
  return dim;
}

void ScatterSrc(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
                const Tensor& src) {
  dim = CheckedDim(call, out, dim, index);
  CombineElements(Combine::kCopy, out, dim, index, src);
}

void ScatterValue(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
                  const Scalar& value) {
  dim = CheckedDim(call, out, dim, index);
  CombineNumber(Combine::kCopy, out, dim, index, value);
}

void ScatterReduce(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
                   const Tensor& src, std::string_view reduce) {
  dim = CheckedDim(call, out, dim, index);
  CombineElements(CombineOf(reduce), out, dim, index, src);
}

void ScatterValueReduce(Call call, const Tensor& out, const Tensor&, int64_t dim,
                        const Tensor& index, const Scalar& value, std::string_view reduce) {
  dim = CheckedDim(call, out, dim, index);
  CombineNumber(CombineOf(reduce), out, dim, index, value);
}

void ScatterAdd(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
                const Tensor& src) {
  dim = CheckedDim(call, out, dim, index);
  CombineElements(Combine::kAdd, out, dim, index, src);
}

void ScatterReduceTwo(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
                      const Tensor& src, std::string_view reduce, bool include_self) {
  dim = CheckedDim(call, out, dim, index);
  ReduceElements(reduce, out, dim, index, src, include_self, /*round_each=*/false);
}

const Kernel src_kernel{"scatter.src", "cpu", kAnyDType, ScatterSrc};
const Kernel value_kernel{"scatter.value", "cpu", kAllTypes, ScatterValue};
const Kernel reduce_kernel{"scatter.reduce", "cpu", kCombineTypes, ScatterReduce};
const Kernel value_reduce_kernel{"scatter.value_reduce", "cpu", kCombineTypes, ScatterValueReduce};
const Kernel add_kernel{"scatter_add", "cpu", kCombineTypes, ScatterAdd};
const Kernel two_kernel{"scatter_reduce.two", "cpu", kCombineTypes, ScatterReduceTwo};

}  // namespace
}  // namespace sy::cpu
