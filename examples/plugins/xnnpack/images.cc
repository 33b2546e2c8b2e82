// Padding with a number, and rectifiers with a slope for each channel.

#include "finite.h"
#include "kernels.h"
#include "layout.h"

namespace xnnpack {
namespace {

// pad: before and after, of the last dimension first
void ConstantPad(Call call, Tensor x, Span<const int64_t> pad, Scalar value) {
  if (x.dtype() != kFloat32 || !x.is_contiguous() || x.numel() == 0)
    throw Declined("only contiguous tensors of float32");
  const int64_t rank = x.dim(), padded = static_cast<int64_t>(pad.size()) / 2;
  if (rank == 0 || rank > XNN_MAX_TENSOR_DIMS) throw Declined("XNNPACK pads 6 dimensions at most");
  if (pad.size() % 2 != 0 || padded > rank) throw Declined("more padding than dimensions");
  size_t sizes[XNN_MAX_TENSOR_DIMS], before[XNN_MAX_TENSOR_DIMS] = {},
                                     after[XNN_MAX_TENSOR_DIMS] = {};
  std::vector<int64_t> out_sizes;
  for (int64_t d = 0; d < rank; ++d) {
    const auto at = static_cast<size_t>(2 * (rank - 1 - d));
    sizes[d] = static_cast<size_t>(x.size(d));
    if (at < pad.size()) {
      before[d] = Small(pad[at]);
      after[d] = Small(pad[at + 1]);
    }
    out_sizes.push_back(x.size(d) + static_cast<int64_t>(before[d] + after[d]));
  }
  const auto v = value.To<float>();
  Owned out = call.NewTensor(out_sizes, kFloat32);
  Operator op;
  Created(xnn_create_constant_pad_nd_x32(&v, 0, op.out()));
  op.Run(Pool(call, out.tensor().numel()), [&](xnn_operator_t o, pthreadpool_t pool) {
    return xnn_setup_constant_pad_nd_x32(o, static_cast<size_t>(rank), sizes, before, after,
                                         x.data(), out.tensor().data(), pool);
  });
  call.SetOut(0, std::move(out));
}

// x: [n, c], weight: [c], or one number
void Prelu(Call call, Tensor x, Tensor weight) {
  if (x.dtype() != kFloat32 || weight.dtype() != kFloat32 || !x.is_contiguous() || x.numel() == 0)
    throw Declined("only contiguous tensors of float32");
  if (x.dim() == 0) throw Declined("only rows of channels");
  const int64_t channels = weight.numel();
  if (channels != 1 && (x.dim() != 2 || x.size(1) != channels))
    throw Declined("only rows of channels");
  if (weight.dim() > 1 || (channels > 1 && weight.stride(0) != 1))
    throw Declined("only a vector of slopes without gaps");
  RequireFinite(x.data<float>(), x.numel());
  RequireFinite(weight.data<float>(), channels);
  Owned out = call.NewTensor(x.sizes(), kFloat32);
  const auto c = static_cast<size_t>(channels);
  Operator op;
  Created(xnn_create_prelu_nc_f32(c, c, c, weight.data<float>(), 0, op.out()));
  op.Run(Pool(call, x.numel()), [&](xnn_operator_t o, pthreadpool_t pool) {
    return xnn_setup_prelu_nc_f32(o, static_cast<size_t>(x.numel()) / c, x.data<float>(),
                                  out.tensor().data<float>(), pool);
  });
  call.SetOut(0, std::move(out));
}

}  // namespace

void AddImages(KernelList& all) {
  Add<ConstantPad, 0>(all, "constant_pad_nd");
  Add<Prelu, 0>(all, "prelu");
}

}  // namespace xnnpack
