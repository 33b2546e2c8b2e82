// The bodies of x_copy and x_scatter of a view x: what x shows, copied, and src, copied to what x
// shows of a copy of self. Their shape functions allocate (ops/view/copying.h).
//
//   const Composite diagonal_copy_body{"diagonal_copy", Copy<diagonal, int64_t, int64_t, int64_t>};
//
// Owns: nothing. Threads: any. Errors: those of the view.
#ifndef SWITCHYARD_OPS_VIEW_COPYING_COMPOSITE_H_
#define SWITCHYARD_OPS_VIEW_COPYING_COMPOSITE_H_

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {

// A: the types of the view's arguments.
template <auto kView, class... A>
void Copy(Call, const Tensor& out, const Tensor& self, A... a) {
  copy_(out, kView(self, a...));
}
template <auto kView, class... A>
void Scatter(Call, const Tensor& out, const Tensor& /*self*/, const Tensor& src, A... a) {
  copy_(kView(out, a...), src);
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_VIEW_COPYING_COMPOSITE_H_
