// bilinear by two products.

#include <vector>

#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// The products with input1 are rounded to the dtype before those with input2.
Tensor Bilinear(Call call, const Tensor& input1, const Tensor& input2, const Tensor& weight,
                const Tensor& bias) {
  const int64_t rank = input1.dim();
  bool fits = rank >= 1 && input2.dim() == rank && weight.dim() == 3;
  fits = fits && SameSizes(input1.sizes().first(static_cast<size_t>(rank - 1)),
                           input2.sizes().first(static_cast<size_t>(rank - 1)));
  fits = fits && input1.size(-1) == weight.size(1) && input2.size(-1) == weight.size(2);
  fits = fits && (!bias.defined() || (bias.dim() == 1 && bias.size(0) == weight.size(0)));
  if (!fits) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"sizes do not fit: input1 is ", input1.sizes(), ", input2 is ", input2.sizes(),
          ", weight is ", weight.sizes()});
  }
  const int64_t o = weight.size(0), n = weight.size(1), m = weight.size(2);
  ::std::vector<int64_t> sizes(input1.sizes().begin(), input1.sizes().end());
  sizes.back() = o;
  const int64_t rows = NumElements(IntSpan(sizes).first(sizes.size() - 1));
  const Tensor by_first =
      mm(reshape(input1, {rows, n}), reshape(permute(weight, {1, 0, 2}), {n, o * m}));
  const Tensor out = bmm(view(by_first, {rows, o, m}), reshape(input2, {rows, m, 1}));
  const Tensor result = view(out, sizes);
  return bias.defined() ? add(result, bias) : result;
}
const Composite bilinear_body{"bilinear", Bilinear};

}  // namespace
}  // namespace sy
