// What a view's shape function makes of its siblings that copy: x_copy returns the view's elements
// in storage of their own, x_scatter a copy of self in which src has taken the view's place.
//
//   const Operator diagonal_copy_op{"diagonal_copy(Tensor self, …) -> Tensor",
//                                   CopyOf<DiagonalShape>, kOut};
//   const Operator diagonal_scatter_op{"diagonal_scatter(Tensor self, Tensor src, …) -> Tensor",
//                                      ScatterOf<DiagonalShape>, kOut};
//
// Their bodies, which are as uniform, are made by ops/view/copying_composite.h.
#ifndef SWITCHYARD_OPS_VIEW_COPYING_H_
#define SWITCHYARD_OPS_VIEW_COPYING_H_

#include "switchyard/core/overlap.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace internal {

// The view that a shape function has stated, as an output of self's dtype.
inline OutputSpec& AsOutput(ShapeContext& r, const TensorBase& self) {
  OutputSpec& o = r.output(0);
  o.dtype = self.dtype();
  o.strides = nullptr;
  r.SetComputeDType(o.dtype);
  return o;
}

template <auto kView>
struct Copying;
template <class... A, void (*kView)(ShapeContext&, const TensorBase&, A...)>
struct Copying<kView> {
  static void Copy(ShapeContext& r, const TensorBase& self, A... a) {
    kView(r, self, a...);
    AsOutput(r, self);
  }
  static void Scatter(ShapeContext& r, const TensorBase& self, const TensorBase& src, A... a) {
    kView(r, self, a...);
    const IntSpan sizes = r.output(0).size_span();
    if (!SameSizes(sizes, src.sizes()))
      r.Fail({"src must have the sizes of what it replaces, ", sizes, ", got ", src.sizes()});
    OutputSpec& o = AsOutput(r, self);
    o.sizes = self.sizes().data();
    o.ndim = static_cast<int32_t>(self.dim());
    o.starts_as = 0;
    // As self lies, gaps included, unless its elements share places; out= is resized row-major.
    if (self.is_contiguous() || r.variant() == Variant::kOut) return;
    if (SelfOverlaps(self)) {
      int64_t* strides = r.Ints(self.dim());
      PreservedStrides(self.sizes(), self.strides(), strides);
      o.strides = strides;
    } else {
      o.strides = self.strides().data();
    }
  }
};

template <class... A>
constexpr ShapeWithOutputs<1, ShapeContext, A...> ViewCopy(void (*shape_function)(ShapeContext&,
                                                                                  A...)) {
  return {shape_function, SetOf(OperatorTag::kViewCopy)};
}

}  // namespace internal

template <auto kView>
inline constexpr auto CopyOf = internal::ViewCopy(&internal::Copying<kView>::Copy);
template <auto kView>
inline constexpr auto ScatterOf = &internal::Copying<kView>::Scatter;

}  // namespace sy

#endif  // SWITCHYARD_OPS_VIEW_COPYING_H_
