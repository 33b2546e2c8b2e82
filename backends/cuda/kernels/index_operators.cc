// Operators that find or put elements by an index along one dimension.

#include "backends/cuda/kernels/index.h"
#include "backends/cuda/kernels/pointwise.h"
#include "backends/cuda/kernels/types.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {
namespace {

void IndexSelect(Call call, const Tensor& out, const Tensor& self, int64_t dim,
                 const Tensor& index) {
  dim = WrapDim(dim, self.dim());
  const Tensor to = AtLeast1d(out);
  GatherElements(call, to, AtLeast1d(self), dim, IndexOfSlices(index, to.sizes(), dim));
}
void Gather(Call call, const Tensor& out, const Tensor& self, int64_t dim, const Tensor& index,
            bool) {
  GatherElements(call, AtLeast1d(out), AtLeast1d(self), WrapDim(dim, self.dim()), AtLeast1d(index));
}
void IndexCopy(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
               const Tensor& source) {
  dim = WrapDim(dim, out.dim());
  const Tensor from = AtLeast1d(source);
  PutElements(call, Combine::kCopy, AtLeast1d(out), dim, IndexOfSlices(index, from.sizes(), dim),
              from);
}
void IndexAdd(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
              const Tensor& source, const Scalar& alpha) {
  dim = WrapDim(dim, out.dim());
  const Tensor from = AtLeast1d(source);
  // Slices are added with one rounding each, elements of vectors have their product rounded first.
  // Source: index_add_cpu_out, ATen/native/TensorAdvancedIndexing.cpp.
  const bool product = out.dim() <= 1 && Contains(kHalves, out.dtype());
  PutElements(call, Combine::kAdd, AtLeast1d(out), dim, IndexOfSlices(index, from.sizes(), dim),
              from, {.alpha = alpha, .round_each = true, .round_product = product});
}
void IndexReduce(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
                 const Tensor& source, std::string_view reduce, bool include_self) {
  dim = WrapDim(dim, out.dim());
  const Tensor from = AtLeast1d(source);
  ReduceElements(call, reduce, AtLeast1d(out), dim, IndexOfSlices(index, from.sizes(), dim), from,
                 include_self, /*round_each=*/true);
}
void IndexFill(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
               const Tensor& value) {
  dim = WrapDim(dim, out.dim());
  const Tensor to = AtLeast1d(out);
  const Tensor at = IndexOfSlices(index, to.sizes(), dim);
  if (value.is_host()) {
    return PutElements(call, Combine::kCopy, to, dim, at, {},
                       {.number = ReadNumber(value), .wraps = true});
  }
  const Tensor number = Tensor::Empty(IntSpan(), out.dtype(), out.device());
  CopyElements(call, number, value);
  const std::vector<int64_t> still(to.sizes().size(), 0);
  PutElements(call, Combine::kCopy, to, dim, at, number.AsStrided(at.sizes(), still, 0),
              {.wraps = true});
}

const Kernel index_select{"index_select", "cuda", kAnyDType, IndexSelect};
const Kernel gather{"gather", "cuda", kAnyDType, Gather};
const Kernel index_copy{"index_copy", "cuda", kAnyDType, IndexCopy};
const Kernel index_add{"index_add", "cuda", kCombined, IndexAdd};
const Kernel index_reduce{"index_reduce", "cuda", kCombined, IndexReduce};
const Kernel index_fill{"index_fill.int_Tensor", "cuda", kAnyDType, IndexFill};

void Scatter(Call call, Combine how, const Tensor& out, int64_t dim, const Tensor& index,
             const Tensor& src, const CombineOptions& options = {}) {
  PutElements(call, how, AtLeast1d(out), WrapDim(dim, out.dim()), AtLeast1d(index),
              src.defined() ? AtLeast1d(src) : src, options);
}
Combine HowOf(std::string_view reduce) {
  return reduce == "multiply" ? Combine::kMultiply : Combine::kAdd;
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
  Scatter(call, HowOf(reduce), out, dim, index, src);
}
void ScatterValueReduce(Call call, const Tensor& out, const Tensor&, int64_t dim,
                        const Tensor& index, const Scalar& value, std::string_view reduce) {
  Scatter(call, HowOf(reduce), out, dim, index, {}, {.number = value});
}
void ScatterAdd(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
                const Tensor& src) {
  Scatter(call, Combine::kAdd, out, dim, index, src);
}

void ScatterReduceTwo(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
                      const Tensor& src, std::string_view reduce, bool include_self) {
  ReduceElements(call, reduce, AtLeast1d(out), WrapDim(dim, out.dim()), AtLeast1d(index),
                 AtLeast1d(src), include_self, /*round_each=*/false);
}

const Kernel scatter_src{"scatter.src", "cuda", kAnyDType, ScatterSrc};
const Kernel scatter_value{"scatter.value", "cuda", kAllTypes, ScatterValue};
const Kernel scatter_reduce{"scatter.reduce", "cuda", kCombined, ScatterReduce};
const Kernel scatter_value_reduce{"scatter.value_reduce", "cuda", kCombined, ScatterValueReduce};
const Kernel scatter_add{"scatter_add", "cuda", kCombined, ScatterAdd};
const Kernel scatter_reduce_two{"scatter_reduce.two", "cuda", kCombined, ScatterReduceTwo};

}  // namespace
}  // namespace sy::cuda
