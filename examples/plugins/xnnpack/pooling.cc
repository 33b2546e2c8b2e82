// Windows over images, and means of whole images. What XNNPACK prepares for a window and the size
// of an image, the addresses of its pixels, is kept between calls.

#include "finite.h"
#include "kernels.h"
#include "layout.h"

namespace xnnpack {
namespace {

// One dimension of a window.
struct Side {
  uint32_t kernel, stride, before, after, dilation;
};
using Sides = Side[2];

// after: what XNNPACK needs to have the output's size, which ceil_mode makes larger.
Side SideOf(size_t d, size_t in, size_t out, Span<const int64_t> kernel, Span<const int64_t> stride,
            Span<const int64_t> padding, Span<const int64_t> dilation) {
  const int64_t k = Entry(kernel, d), s = stride.empty() ? k : Entry(stride, d),
                p = Entry(padding, d), spread = Entry(dilation, d);
  const int64_t last = (static_cast<int64_t>(out) - 1) * s + (k - 1) * spread + 1;
  const int64_t after = std::max<int64_t>(0, last - static_cast<int64_t>(in) - p);
  return {Small(k), Small(s), Small(p), Small(after), Small(spread)};
}

void RequireSame(Tensor out, Tensor x) {
  if (out.dtype() != x.dtype()) throw Declined("out is of another dtype");
  if (x.numel() == 0) throw Declined("no input");
}

// An operator for a window, kept by all that its preparation depends on. create(kept.op.out()).
template <class F>
Operator& OfWindow(Call call, const Image& x, const Sides& s, F create) {
  if (uint64_t{s[0].kernel} * s[1].kernel == 1) throw Declined("a window of one element");
  const int64_t key[] = {s[0].kernel,
                         s[0].stride,
                         s[0].before,
                         s[0].after,
                         s[0].dilation,
                         s[1].kernel,
                         s[1].stride,
                         s[1].before,
                         s[1].after,
                         s[1].dilation,
                         static_cast<int64_t>(x.c()),
                         static_cast<int64_t>(x.h()),
                         static_cast<int64_t>(x.w())};
  return Keep(call, key, 0, [&](Kept& made) { Created(create(made.op.out())); }).op;
}

// T: float or int8_t; create and setup as XNNPACK has them.
template <class T>
void RunMaxPool(Call call, const Image& from, const Image& to, const Sides& s, T low, T high,
                auto create, auto setup) {
  Operator& op = OfWindow(call, from, s, [&](xnn_operator_t* made) {
    return create(s[0].before, s[1].after, s[0].after, s[1].before, s[0].kernel, s[1].kernel,
                  s[0].stride, s[1].stride, s[0].dilation, s[1].dilation, from.c(), from.c(),
                  from.c(), low, high, 0, made);
  });
  op.Run(Pool(call, from.numel()), [&](xnn_operator_t o, pthreadpool_t pool) {
    return setup(o, from.n(), from.h(), from.w(), from.data<T>(), to.data<T>(), pool);
  });
}

void MaxPool(Call call, Tensor out, Tensor x, Span<const int64_t> kernel,
             Span<const int64_t> stride, Span<const int64_t> padding, Span<const int64_t> dilation,
             bool) {
  if (out.numel() == 0) return;
  RequireSame(out, x);
  const Image from = Image::Of(call, x), to = Image::For(call, out);
  const Sides s = {SideOf(0, from.h(), to.h(), kernel, stride, padding, dilation),
                   SideOf(1, from.w(), to.w(), kernel, stride, padding, dilation)};
  // XNNPACK reads the nearest pixel in place of padding, which with dilation may be none of the
  // window's.
  if ((s[0].before | s[0].after | s[1].before | s[1].after) != 0 &&
      (s[0].dilation | s[1].dilation) != 1)
    throw Declined("padding and dilation together");
  if (x.dtype() == kInt8) {
    RunMaxPool<int8_t>(call, from, to, s, -128, 127, xnn_create_max_pooling2d_nhwc_s8,
                       xnn_setup_max_pooling2d_nhwc_s8);
  } else {
    RequireNoNan(from.data<float>(), from.numel());
    RunMaxPool<float>(call, from, to, s, -kInfinity, kInfinity, xnn_create_max_pooling2d_nhwc_f32,
                      xnn_setup_max_pooling2d_nhwc_f32);
  }
  to.Done();
}

void AveragePool(Call call, const Image& from, const Image& to, const Sides& s) {
  RequireFinite(from.data<float>(), from.numel());
  Operator& op = OfWindow(call, from, s, [&](xnn_operator_t* made) {
    return xnn_create_average_pooling2d_nhwc_f32(
        s[0].before, s[1].after, s[0].after, s[1].before, s[0].kernel, s[1].kernel, s[0].stride,
        s[1].stride, from.c(), from.c(), from.c(), -kInfinity, kInfinity, 0, made);
  });
  op.Run(Pool(call, from.numel()), [&](xnn_operator_t o, pthreadpool_t pool) {
    return xnn_setup_average_pooling2d_nhwc_f32(o, from.n(), from.h(), from.w(), from.data<float>(),
                                                to.data<float>(), pool);
  });
  to.Done();
}

constexpr int64_t kOne[] = {1};

// XNNPACK divides by the elements that there are, so that padding never counts.
void AvgPool(Call call, Tensor out, Tensor x, Span<const int64_t> kernel,
             Span<const int64_t> stride, Span<const int64_t> padding, bool, bool count_include_pad,
             Optional<int64_t> divisor) {
  if (out.numel() == 0) return;
  RequireSame(out, x);
  if (divisor) throw Declined("XNNPACK has no divisor_override");
  const Image from = Image::Of(call, x), to = Image::For(call, out);
  const Sides s = {SideOf(0, from.h(), to.h(), kernel, stride, padding, kOne),
                   SideOf(1, from.w(), to.w(), kernel, stride, padding, kOne)};
  if (count_include_pad && (s[0].before | s[1].before) != 0)
    throw Declined("XNNPACK does not count padding");
  AveragePool(call, from, to, s);
}

// Longer sums than this lose digits in XNNPACK's one float.
constexpr int64_t kMostSummed = 1 << 14;

// Of each channel, over all its pixels; out: [n, c] without gaps.
void GlobalMean(Call call, const Image& x, float* out) {
  const auto pixels = static_cast<int64_t>(x.h() * x.w());
  if (pixels > kMostSummed) throw Declined("a mean of more than 16384 elements");
  RequireFinite(x.data<float>(), x.numel());
  Operator op;
  Created(xnn_create_global_average_pooling_nwc_f32(x.c(), x.c(), x.c(), -kInfinity, kInfinity, 0,
                                                    op.out()));
  op.Run(Pool(call, x.numel()), [&](xnn_operator_t o, pthreadpool_t pool) {
    return xnn_setup_global_average_pooling_nwc_f32(o, x.n(), static_cast<size_t>(pixels),
                                                    x.data<float>(), out, pool);
  });
}

void AdaptiveAvgPool(Call call, Tensor out, Tensor x, Span<const int64_t>) {
  if (out.numel() == 0) return;
  RequireSame(out, x);
  const Image from = Image::Of(call, x), to = Image::For(call, out);
  if (to.h() * to.w() == 1) {
    GlobalMean(call, from, to.data<float>());
    return to.Done();
  }
  if (from.h() % to.h() != 0 || from.w() % to.w() != 0)
    throw Declined("windows of different sizes");
  const uint32_t h = Small(static_cast<int64_t>(from.h() / to.h())),
                 w = Small(static_cast<int64_t>(from.w() / to.w()));
  AveragePool(call, from, to, {{h, h, 0, 0, 1}, {w, w, 0, 0, 1}});
}

// Over the last dimensions of contiguous tensors, or both of images.
void Mean(Call call, Tensor out, Tensor x, Optional<Span<const int64_t>> dims, bool,
          Optional<DType>) {
  if (out.numel() == 0) return;
  RequireSame(out, x);
  if (!out.is_contiguous()) throw Declined("only into contiguous tensors");
  const int64_t rank = x.dim();
  const bool all = !dims || dims->empty();
  const int64_t kept = all ? 0 : rank - static_cast<int64_t>(dims->size());
  for (size_t i = 0; !all && i < dims->size(); ++i) {
    if (rank == 0 || ((*dims)[i] + rank) % rank < kept)
      throw Declined("only over the last dimensions");
  }
  if (!x.is_contiguous() && rank == 4 && kept == 2)
    return GlobalMean(call, Image::Of(call, x), out.data<float>());
  if (!x.is_contiguous()) throw Declined("only of contiguous tensors and images");
  const int64_t n = x.numel() / out.numel();
  if (n > kMostSummed) throw Declined("a mean of more than 16384 elements");
  RequireFinite(x.data<float>(), x.numel());
  Operator op;  // whose channels are rows
  Created(xnn_create_global_average_pooling_ncw_f32(static_cast<size_t>(out.numel()), -kInfinity,
                                                    kInfinity, 0, op.out()));
  op.Run(Pool(call, x.numel()), [&](xnn_operator_t o, pthreadpool_t pool) {
    return xnn_setup_global_average_pooling_ncw_f32(o, 1, static_cast<size_t>(n), x.data<float>(),
                                                    out.data<float>(), pool);
  });
}

}  // namespace

void AddPooling(KernelList& all) {
  Add<MaxPool>(all, "max_pool2d", kFloat | kByte);
  Add<AvgPool>(all, "avg_pool2d");
  Add<AdaptiveAvgPool>(all, "adaptive_avg_pool2d");
  Add<Mean>(all, "mean.dim");
}

}  // namespace xnnpack
