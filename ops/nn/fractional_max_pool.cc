// Largest element of each of output_size windows that are spread over self at fractional distances
// from a random start, and where in the last dimensions, counted as one, it lies. NaN counts as
// largest.
//   self: [n, c, ..] or [c, ..] with 2 or 3 last dimensions, floating; kernel_size, output_size:
//   one number a dimension; random_samples: [n, c, 2] (of the last dimension, of the one before)
//   or [n, c, 3], of self's dtype, 0 up to 1: where windows start   →   [n, c, ..], sizes
//   output_size, and int64
// Window i of m starts at floor((i + sample) a) - floor(sample a), a = (in - kernel) / (m - 1), the
// last one at in - kernel.
// Errors: kInvalidArgument for other ranks, empty dimensions but the batch, sizes or dtypes that do
// not fit, and windows that do not; kNotImplemented for other dtypes.
// Example: sy::fractional_max_pool2d(x, {2, 2}, {2, 2}, y)
// Source: ATen fractional_max_pool2d, fractional_max_pool3d.
#include "switchyard/ops/nn/fractional.h"
#include "switchyard/ops/nn/window_backward.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

template <int kDims>
void FractionalShape(ShapeContext& r, const TensorBase& self, IntSpan kernel_size,
                     IntSpan output_size, const TensorBase& random_samples) {
  const Window w = FractionalWindowOf(r.op(), self, kDims, kernel_size, output_size);
  RequireDType(r, self, kFloatingTypes);
  RequireSameDType(r, self, random_samples, "self", "random_samples");
  const bool batched = self.dim() == kDims + 2;
  const int64_t channels = self.size(batched ? 1 : 0), samples = batched ? self.size(0) : 1;
  if (random_samples.dim() != 3 || random_samples.size(0) < samples ||
      random_samples.size(1) != channels || random_samples.size(2) != kDims) {
    r.Fail({"random_samples must have sizes [", samples, ", ", channels, ", ", kDims, "], got ",
            random_samples.sizes()});
  }
  int64_t* sizes = r.Ints(self.dim());
  const int64_t kept = self.dim() - kDims;
  std::copy_n(self.sizes().data(), kept, sizes);
  std::copy_n(w.outputs + 3 - kDims, kDims, sizes + kept);
  const IntSpan all(sizes, static_cast<size_t>(self.dim()));
  r.Output(all, self.dtype());
  r.Output(all, DType::kInt64);
}

}  // namespace

const Operator fractional_max_pool2d_op{
    "fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor "
    "random_samples) -> (Tensor, Tensor)",
    Outputs<2>(FractionalShape<2>),
    Out("fractional_max_pool2d.output(Tensor self, int[2] kernel_size, int[2] output_size, Tensor "
        "random_samples, *, Tensor(a!) output, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))")};
const Operator fractional_max_pool3d_op{
    "fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor "
    "random_samples) -> (Tensor, Tensor)",
    Outputs<2>(FractionalShape<3>),
    Out("fractional_max_pool3d.output(Tensor self, int[3] kernel_size, int[3] output_size, Tensor "
        "random_samples, *, Tensor(a!) output, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))")};

}  // namespace sy
