#include "backends/cuda/engine/index.h"

namespace sy::cuda {
namespace {

void Scatter(Call call, Combine how, const Tensor& out, int64_t dim, const Tensor& index,
             const Tensor& src, const CombineOptions& options = {}) {
  PutElements(call, how, AtLeast1d(out), dim, AtLeast1d(index),
              src.defined() ? AtLeast1d(src) : src, options);
}
void ScatterSrc(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
                const Tensor& src) {
  Scatter(call, Combine::kCopy, out, dim, index, src);
}
void ScatterValue(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
                  const Scalar& value) {
  Scatter(call, Combine::kCopy, out, dim, index, {}, {.number = value});
}
void ScatterReduce(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
                   const Tensor& src, std::string_view reduce) {
  Scatter(call, CombineOf(reduce), out, dim, index, src);
}
void ScatterValueReduce(Call call, const Tensor& out, const Tensor&, int64_t dim,
                        const Tensor& index, const Scalar& value, std::string_view reduce) {
  Scatter(call, CombineOf(reduce), out, dim, index, {}, {.number = value});
}
void ScatterAdd(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
                const Tensor& src) {
  Scatter(call, Combine::kAdd, out, dim, index, src);
}

void ScatterReduceTwo(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
                      const Tensor& src, std::string_view reduce, bool include_self) {
  ReduceElements(call, reduce, AtLeast1d(out), dim, AtLeast1d(index), AtLeast1d(src), include_self,
                 /*round_each=*/false);
}

const Kernel scatter_src{"scatter.src", "cuda", kAnyDType, ScatterSrc};
const Kernel scatter_value{"scatter.value", "cuda", kAllTypes, ScatterValue};
const Kernel scatter_reduce{"scatter.reduce", "cuda", kCombineTypes, ScatterReduce};
const Kernel scatter_value_reduce{"scatter.value_reduce", "cuda", kCombineTypes,
                                  ScatterValueReduce};
const Kernel scatter_add{"scatter_add", "cuda", kCombineTypes, ScatterAdd};
const Kernel scatter_reduce_two{"scatter_reduce.two", "cuda", kCombineTypes, ScatterReduceTwo};

}  // namespace
}  // namespace sy::cuda
