// Gradients of convolutions, and of what they pass back.
#include <tuple>
#include <utility>
#include <vector>

#include "switchyard/autograd/gradient.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using Three = std::tuple<Tensor, Tensor, Tensor>;
// Of complex numbers, by their parts: what goes back is linear in g, and in the conjugate of what
// the other factor was.
template <class Back>
Three ByParts(const Tensor& g, const Tensor& input, const Tensor& weight, const Back& back) {
  const Tensor gr = real(g), gi = imag(g), xr = real(input), xi = imag(input), wr = real(weight),
               wi = imag(weight);
  // (gr + i gi)(xr - i xi), and the same with w.
  const auto [rr_input, rr_weight, r_bias] = back(gr, xr, wr);
  const auto [ii_input, ii_weight, unused] = back(gi, xi, wi);
  const auto [ir_input, ir_weight, i_bias] = back(gi, xr, wr);
  const auto [ri_input, ri_weight, unused_too] = back(gr, xi, wi);
  const auto joined = [](const Tensor& rr, const Tensor& ii, const Tensor& ir, const Tensor& ri) {
    return rr.defined() ? complex(add(rr, ii), sub(ir, ri)) : Tensor();
  };
  return {joined(rr_input, ii_input, ir_input, ri_input),
          joined(rr_weight, ii_weight, ir_weight, ri_weight),
          r_bias.defined() ? complex(r_bias, i_bias) : Tensor()};
}

void ConvolutionGrad(const Grad& g, const Tensor& input, const Tensor& weight, Like bias,
                     IntSpan stride, IntSpan padding, IntSpan dilation, bool transposed,
                     IntSpan output_padding, int64_t groups, Gradients& out) {
  const bool mask[] = {out.needs(0), out.needs(1), out.needs(2)};
  const auto back = [&](const Tensor& grad, const Tensor& x, const Tensor& w) {
    return convolution_backward(
        grad, x, w, bias.defined() ? Optional<IntSpan>(bias.sizes()) : std::nullopt, stride,
        padding, dilation, transposed, output_padding, groups, mask);
  };
  auto [of_input, of_weight, of_bias] =
      IsComplex(g.dtype()) ? ByParts(g, input, weight, back) : back(g, input, weight);
  if (mask[0]) out.Set(0, std::move(of_input));
  if (mask[1]) out.Set(1, std::move(of_weight));
  if (mask[2]) out.Set(2, std::move(of_bias));
}
const Gradient convolution_grad{"convolution",
                                ForAll({"input", "weight", "bias"}, ConvolutionGrad)};

// A convolution is linear in its input and in its weight, and so are the gradients: with gI, gW and
// gB those of what went back to input, weight and bias, what went in (grad, input, weight) gets
// conv(gI, W) + conv(I, gW) + gB, the input's part of a convolution with gW, the weight's of gI.
void BackwardGrad(const Grad& g, const Tensor& grad, const Tensor& input, const Tensor& weight,
                  Unsaved, IntSpan stride, IntSpan padding, IntSpan dilation, bool transposed,
                  IntSpan output_padding, int64_t groups, Unsaved, Gradients& out) {
  if (out.needs(0)) {
    Tensor all;
    const auto plus = [&](Tensor part) { all = all.defined() ? add(all, part) : std::move(part); };
    if (g.defined(0)) {
      plus(convolution(g[0], weight, Tensor(), stride, padding, dilation, transposed,
                       output_padding, groups));
    }
    if (g.defined(1)) {
      plus(convolution(input, g[1], Tensor(), stride, padding, dilation, transposed, output_padding,
                       groups));
    }
    if (g.defined(2)) {
      std::vector<int64_t> channel(static_cast<size_t>(grad.dim()), 1);
      channel[1] = -1;
      plus(expand(reshape(g[2], channel), grad.sizes()));
    }
    out.Set(0, std::move(all));
  }
  const auto back = [&](const Tensor& i, const Tensor& w, bool of_input) {
    const bool mask[] = {of_input, !of_input, false};
    auto parts = convolution_backward(grad, i, w, std::nullopt, stride, padding, dilation,
                                      transposed, output_padding, groups, mask);
    return of_input ? std::get<0>(parts) : std::get<1>(parts);
  };
  if (out.needs(1) && g.defined(1)) out.Set(1, back(input, g[1], true));
  if (out.needs(2) && g.defined(0)) out.Set(2, back(g[0], weight, false));
}
const Gradient backward_grad{"convolution_backward",
                             ForAll({"grad_output", "input", "weight"}, BackwardGrad)};

}  // namespace
}  // namespace sy
