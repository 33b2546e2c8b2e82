// Affine grids by a product with the places of the image, [x, y, (z,) 1].
// Source: ATen/native/AffineGridGenerator.cpp.

#include <optional>
#include <vector>

#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor FromMinusOne(const Tensor& like, int64_t n, bool align_corners) {
  if (n <= 1) return new_zeros(like, {n});
  const Tensor ends = linspace(-1, 1, n, like.dtype(), ::std::nullopt, like.device());
  if (align_corners) return ends;
  return mul(ends, static_cast<double>(n - 1) / static_cast<double>(n));
}

// [places, dims + 1]
Tensor Places(const Tensor& like, IntSpan size, bool align_corners) {
  const int64_t dims = static_cast<int64_t>(size.size()) - 2;
  ::std::vector<int64_t> sizes(size.begin() + 2, size.end());
  sizes.push_back(dims + 1);
  const Tensor places = new_ones(like, sizes);
  for (int64_t d = 0; d < dims; ++d) {  // x is the last dimension
    Tensor along = FromMinusOne(like, size[static_cast<size_t>(d) + 2], align_corners);
    for (int64_t k = d + 1; k < dims; ++k) along = unsqueeze(along, -1);
    copy_(select(places, -1, dims - 1 - d), along);
  }
  return view(places, {NumElements(size.subspan(2)), dims + 1});
}

void RequireImage(Call call, IntSpan size) {
  if (size.size() == 4 || size.size() == 5) return;
  Fail(ErrorCode::kInvalidArgument, call.op(), {"size must have 4 or 5 entries, got ", size});
}

Tensor AffineGrid(Call call, const Tensor& theta, IntSpan size, bool align_corners) {
  RequireImage(call, size);
  const int64_t dims = static_cast<int64_t>(size.size()) - 2;
  if (theta.dim() != 3 || theta.size(0) != size[0] || theta.size(1) != dims ||
      theta.size(2) != dims + 1) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"theta must be [", size[0], ", ", dims, ", ", dims + 1, "], got sizes ", theta.sizes()});
  }
  const Tensor places = Places(theta, size, align_corners);
  const Tensor all = expand(unsqueeze(places, 0), {size[0], places.size(0), dims + 1});
  ::std::vector<int64_t> sizes{size[0]};
  sizes.insert(sizes.end(), size.begin() + 2, size.end());
  sizes.push_back(dims);
  return view(bmm(all, transpose(theta, 1, 2)), sizes);
}

Tensor Backward(Call call, const Tensor& grad, IntSpan size, bool align_corners) {
  RequireImage(call, size);
  const int64_t dims = static_cast<int64_t>(size.size()) - 2;
  const Tensor places = Places(grad, size, align_corners);
  if (grad.numel() != size[0] * places.size(0) * dims) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"grad must have ", dims, " numbers for each place of an image of ", size, ", got sizes ",
          grad.sizes()});
  }
  const Tensor flat = reshape(grad, {size[0], places.size(0), dims});
  const Tensor all = expand(unsqueeze(places, 0), {size[0], places.size(0), dims + 1});
  return transpose(bmm(transpose(all, 1, 2), flat), 1, 2);
}

const Composite grid_body{"affine_grid_generator", AffineGrid};
const Composite backward_body{"affine_grid_generator_backward", Backward};

}  // namespace
}  // namespace sy
