// What a view's rule makes of its siblings that copy: x_copy returns the view's elements in
// storage of their own, x_scatter a copy of self in which src has taken the view's place.
//
//   const Operator diagonal_copy_op{"diagonal_copy(Tensor self, …) -> Tensor",
//                                   CopyOf<DiagonalRule>, kOut};
//   const Operator diagonal_scatter_op{"diagonal_scatter(Tensor self, Tensor src, …) -> Tensor",
//                                      ScatterOf<DiagonalRule>, kOut};
//
// Their bodies, which are as uniform, are in ops/composite/view_copy.cc.
#ifndef SWITCHYARD_OPS_VIEW_COPYING_H_
#define SWITCHYARD_OPS_VIEW_COPYING_H_

#include "switchyard/core/overlap.h"
#include "switchyard/ops/rules.h"

namespace sy {
namespace internal {

// The view that a rule has stated, as an output of self's dtype.
inline OutputSpec& AsOutput(Rule& r, const Meta& self) {
  OutputSpec& o = r.output(0);
  o.dtype = self.dtype();
  o.strides = nullptr;
  r.SetComputeDType(o.dtype);
  return o;
}

template <auto kView>
struct Copying;
template <class... A, void (*kView)(Rule&, const Meta&, A...)>
struct Copying<kView> {
  static void Copy(Rule& r, const Meta& self, A... a) {
    kView(r, self, a...);
    AsOutput(r, self);
  }
  static void Scatter(Rule& r, const Meta& self, const Meta& src, A... a) {
    kView(r, self, a...);
    const IntSpan sizes = r.output(0).size_span();
    if (!SameSizes(sizes, src.sizes()))
      r.Fail({"src must have the sizes of what it replaces, ", sizes, ", got ", src.sizes()});
    OutputSpec& o = AsOutput(r, self);
    o.sizes = self.sizes().data();
    o.ndim = static_cast<int32_t>(self.dim());
    o.starts_as = 0;
    // As self lies, gaps included, unless its elements share places; out= is resized row-major.
    if (self.is_contiguous() || r.form() == FormKind::kOut) return;
    if (SelfOverlaps(self)) {
      int64_t* strides = r.Ints(self.dim());
      PreservedStrides(self.sizes(), self.strides(), strides);
      o.strides = strides;
    } else {
      o.strides = self.strides().data();
    }
  }
};

}  // namespace internal

template <auto kView>
inline constexpr auto CopyOf = &internal::Copying<kView>::Copy;
template <auto kView>
inline constexpr auto ScatterOf = &internal::Copying<kView>::Scatter;

}  // namespace sy

#endif  // SWITCHYARD_OPS_VIEW_COPYING_H_
