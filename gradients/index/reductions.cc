// Gradients of reductions into places that an index names: each element of a source has what its
// place passes to it.
#include <cstdint>
#include <string_view>
#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/function.h"
#include "switchyard/autograd/gradient.h"
#include "switchyard/core/error.h"
#include "switchyard/core/scalar.h"
#include "switchyard/gradients/parts.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// Sources go to places by an index for each element (scatter_reduce), or for each slice along dim
// (index_reduce).
struct ByElement {
  int64_t dim;
  const Tensor& index;
  Tensor Read(const Tensor& places) const { return gather(places, dim, index); }
  Tensor Add(const Tensor& places, const Tensor& source) const {
    return scatter_add(places, dim, index, source);
  }
  Tensor Reduce(const Tensor& places, const Tensor& source, std::string_view how, bool self) const {
    return scatter_reduce(places, dim, index, source, how, self);
  }
  Tensor Clear(const Tensor& places) const { return scatter(places, dim, index, 0); }
  // Of a source that is larger than the index, only that part was read.
  Tensor Part(const Tensor& source) const {
    Tensor part = source;
    for (int64_t d = 0; d < index.dim(); ++d) part = narrow(part, d, 0, index.size(d));
    return part;
  }
};
struct BySlice {
  int64_t dim;
  const Tensor& index;
  Tensor Read(const Tensor& places) const { return index_select(places, dim, index); }
  Tensor Add(const Tensor& places, const Tensor& source) const {
    return index_add(places, dim, index, source);
  }
  Tensor Reduce(const Tensor& places, const Tensor& source, std::string_view how, bool self) const {
    return index_reduce(places, dim, index, source, how, self);
  }
  Tensor Clear(const Tensor& places) const { return index_fill(places, dim, index, 0); }
  Tensor Part(const Tensor& source) const { return source; }
};

struct Both {
  Tensor self, source;
};
// Of a product with two zeros or more the gradient is 0, whose own gradient is not, and is refused,
// as in ATen.
Tensor NotTwice(const Tensor& g) {
  return ApplyFunction(
      "SeveralZeros", [](FunctionContext&, TensorList x) { return std::vector{clone(x[0])}; },
      [](FunctionContext&, TensorList) -> std::vector<Tensor> {
        Fail(ErrorCode::kNotImplemented,
             {"a product of several zeros in one place has no second gradient"});
      },
      {g})[0];
}
// Each product by its factor; by a factor of 0, if it is the only one, the product of the others.
template <class Places>
Both OfProduct(const Tensor& g, const Tensor& y, const Tensor& self, const Tensor& source,
               const Places& at, bool include_self) {
  const Tensor nonzero_self = masked_fill(self, eq(self, 0), 1);
  const Tensor others = at.Reduce(nonzero_self, source, "prod", include_self);
  const Tensor zero = eq(source, 0);
  const DType counted = IsComplex(self.dtype()) ? RealType(self.dtype()) : self.dtype();
  const Tensor zeros_there = at.Read(at.Add(zeros_like(self, counted), to(zero, counted)));
  const Tensor single = logical_and(zero, eq(zeros_there, 1));
  const Tensor without = at.Reduce(self, masked_fill(source, single, 1), "prod", include_self);
  Tensor of_source = where(single, at.Read(mul(g, without)),
                           div(at.Read(mul(g, y)), masked_fill(source, zero, 1)));
  if (is_grad_enabled() && item(any(gt(zeros_there, 1))).To<bool>()) {
    of_source = NotTwice(of_source);
  }
  return {div(mul(g, others), nonzero_self), of_source};
}
// All that are the extreme share it.
template <class Places>
Both OfExtreme(const Tensor& g, const Tensor& y, const Tensor& self, const Tensor& source,
               const Places& at) {
  const Tensor self_is = to(eq(self, y), self.dtype());
  const Tensor source_is = to(eq(source, at.Read(y)), self.dtype());
  const Tensor share = div(g, at.Add(self_is, source_is));
  return {mul(self_is, share), mul(source_is, at.Read(share))};
}
template <class Places>
Both OfMean(const Tensor& g, const Tensor& source, const Places& at, bool include_self) {
  const Tensor counts =
      at.Add(include_self ? ones_like(g) : zeros_like(g), ones_like(source, g.dtype()));
  const Tensor each = masked_fill(counts, eq(counts, 0), 1);
  return {div(g, each), div(at.Read(g), at.Read(each))};
}
template <class Places>
void Reduction(const Grad& g, const Tensor& y, const Tensor& self, const Tensor& whole_source,
               std::string_view how, bool include_self, const Places& at, size_t source_position,
               Gradients& out) {
  const Tensor source = at.Part(whole_source);
  Both of;
  if (how == "sum") {
    of = {g, at.Read(g)};
  } else if (how == "prod") {
    of = OfProduct(g, conj(y), conj(self), conj(source), at, include_self);
  } else if (how == "mean") {
    of = OfMean(g, source, at, include_self);
  } else {
    of = OfExtreme(g, y, self, source, at);
  }
  if (out.needs(0)) out.Set(0, include_self ? of.self : at.Clear(of.self));
  if (!out.needs(source_position)) return;
  out.Set(source_position, WithZeros(of.source, whole_source.sizes()));
}

void ScatterReduceGrad(const Grad& g, Output<0> y, const Tensor& self, int64_t dim,
                       const Tensor& index, const Tensor& source, std::string_view how,
                       bool include_self, Gradients& out) {
  Reduction(g, y, self, source, how, include_self, ByElement{dim, index}, 3, out);
}
const Gradient scatter_reduce_grad{"scatter_reduce.two",
                                   ForAll({"self", "src"}, ScatterReduceGrad)};
void IndexReduceGrad(const Grad& g, Output<0> y, const Tensor& self, int64_t dim,
                     const Tensor& index, const Tensor& source, std::string_view how,
                     bool include_self, Gradients& out) {
  Reduction(g, y, self, source, how, include_self, BySlice{dim, index}, 3, out);
}
const Gradient index_reduce_grad{"index_reduce", ForAll({"self", "source"}, IndexReduceGrad)};

Tensor SegmentReduceData(const Grad& g, Output<0> y, const Tensor& data, std::string_view how,
                         const Tensor& lengths, Unsaved, const Tensor& offsets, int64_t axis,
                         Unsaved, const Optional<Scalar>& initial) {
  return _segment_reduce_backward(g, y, data, how, lengths, offsets, axis, initial);
}
const Gradient segment_reduce_grad{"segment_reduce", For("data", SegmentReduceData)};

}  // namespace
}  // namespace sy
