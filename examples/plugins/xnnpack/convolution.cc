// Convolutions of images, and of lines as images of one row; transposed ones too. XNNPACK picks its
// kernels for matrix products (1 x 1), for each channel (depthwise) and the general ones by itself.
//
// The weight is packed for the processor, with the bias: once, where the program has frozen them
// (sy::freeze), else at each call. Images in channels-last format are computed where they lie.

#include "finite.h"
#include "kernels.h"
#include "weights.h"

namespace xnnpack {
namespace {

// [n, c, w] as [n, c, 1, w]. Valid while this lives.
class AsImage {
 public:
  explicit AsImage(Tensor t) : view_(t.view()) {
    if (t.dim() != 3) return;
    const int64_t sizes[] = {t.size(0), t.size(1), 1, t.size(2)};
    const int64_t strides[] = {t.stride(0), t.stride(1), t.stride(2) * t.size(2), t.stride(2)};
    std::copy_n(sizes, 4, sizes_);
    std::copy_n(strides, 4, strides_);
    view_.sizes = sizes_;
    view_.strides = strides_;
    view_.ndim = 4;
  }
  AsImage(const AsImage&) = delete;
  AsImage& operator=(const AsImage&) = delete;
  Tensor tensor() const { return Tensor(&view_); }

 private:
  int64_t sizes_[4], strides_[4];
  SyTensor view_;
};

void Make(Call call, Kept& made, const Image& x, const Image& out, Tensor weight, Tensor bias,
          const Numbers& n, bool transposed) {
  const auto* kernel = static_cast<const float*>(Ordered(call, weight, transposed, n.groups));
  const float* b = bias.defined() ? Vector(call, bias) : nullptr;
  made.finite = AllFinite(kernel, weight.numel()) && (b == nullptr || AllFinite(b, bias.numel()));
  const uint32_t h = weight.dim() == 4 ? Small(weight.size(2)) : 1,
                 w = Small(weight.size(weight.dim() - 1));
  const size_t inputs = x.c() / n.groups, outputs = out.c() / n.groups;
  const auto create =
      transposed ? xnn_create_deconvolution2d_nhwc_f32 : xnn_create_convolution2d_nhwc_f32;
  Created(create(n.padding[0], n.padding[1], n.padding[0], n.padding[1], h, w, n.stride[0],
                 n.stride[1], n.dilation[0], n.dilation[1], n.groups, inputs, outputs, x.c(),
                 out.c(), kernel, b, -kInfinity, kInfinity, 0, made.op.out()));
}

void Convolution(Call call, Tensor out, Tensor x, Tensor weight, Tensor bias,
                 Span<const int64_t> stride, Span<const int64_t> padding,
                 Span<const int64_t> dilation, bool transposed, Span<const int64_t> more,
                 int64_t groups) {
  if (out.numel() == 0) return;
  if (weight.dim() > 4) throw Declined("XNNPACK convolves in one or two dimensions");
  if (out.dtype() != kFloat32 || x.dtype() != kFloat32) throw Declined("only float32");
  if (weight.numel() == 0 || x.numel() == 0) throw Declined("no input");
  const Numbers n =
      NumbersOf(static_cast<size_t>(weight.dim() - 2), stride, padding, dilation, more, groups);
  for (int d = 0; transposed && d < 2; ++d)
    if (n.more[d] >= n.stride[d]) throw Declined("XNNPACK wants output_padding below stride");
  const AsImage x_image(x), out_image(out);
  const Image from = Image::Of(call, x_image.tensor()), to = Image::For(call, out_image.tensor());
  RequireFinite(from.data<float>(), from.numel());
  const auto run = [&](Kept& kept) {
    if (!kept.finite) throw Declined("XNNPACK gives no NaN, and a weight is not finite");
    kept.op.Run(Pool(call, 64 * out.numel()), [&](xnn_operator_t o, pthreadpool_t pool) {
      if (transposed) {
        return xnn_setup_deconvolution2d_nhwc_f32(o, from.n(), from.h(), from.w(), n.more[0],
                                                  n.more[1], from.data<float>(), to.data<float>(),
                                                  pool);
      }
      return xnn_setup_convolution2d_nhwc_f32(o, from.n(), from.h(), from.w(), from.data<float>(),
                                              to.data<float>(), pool);
    });
  };
  const auto make = [&](Kept& made) { Make(call, made, from, to, weight, bias, n, transposed); };
  const uint64_t constants = ConstantBit(weight, 1) | ConstantBit(bias, 2);
  if (constants == (bias.defined() ? 6 : 2)) {
    const int64_t key[] = {n.stride[0],   n.stride[1],   n.padding[0], n.padding[1],
                           n.dilation[0], n.dilation[1], n.groups,     transposed};
    run(Keep(call, key, constants, make));
  } else {
    Kept once;
    make(once);
    run(once);
  }
  to.Done();
}

}  // namespace

void AddConvolution(KernelList& all) { Add<Convolution>(all, "convolution"); }

}  // namespace xnnpack
