// Gradients of views of complex numbers: their parts, both parts as a dimension, and conjugates.
#include "switchyard/autograd/gradient.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Same(const Grad& g, Unsaved) { return g; }
// A real gradient becomes complex where self is.
const Gradient real_grad{"real", For("self", Same)};
Tensor ImagSelf(const Grad& g, Unsaved) { return complex(zeros_like(g), g); }
const Gradient imag_grad{"imag", For("self", ImagSelf)};

// Not by view_as_complex, which asks for strides that a gradient need not have.
Tensor PartsSelf(const Grad& g, Unsaved) { return complex(select(g, -1, 0), select(g, -1, 1)); }
const Gradient view_as_real_grad{"view_as_real", For("self", PartsSelf)};
Tensor NumbersSelf(const Grad& g, Unsaved) { return view_as_real(resolve_conj(g)); }
const Gradient view_as_complex_grad{"view_as_complex", For("self", NumbersSelf)};

Tensor ConjSelf(const Grad& g, Unsaved) { return conj(g); }
const Gradient conj_grad{"conj", For("self", ConjSelf)};
const Gradient conj_of_complex_grad{"_conj", For("self", ConjSelf)};
const Gradient resolve_conj_grad{"resolve_conj", For("self", Same)};
const Gradient resolve_neg_grad{"resolve_neg", For("self", Same)};

}  // namespace
}  // namespace sy
