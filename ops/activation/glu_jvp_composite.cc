// glu's derivatives by the halves a, b of x: glu = a s, with s = sigmoid(b) and s' = s (1 - s).

#include <initializer_list>
#include <string_view>
#include <vector>

#include "ops/checks.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// A tensor by its name in the schema.
struct Named {
  std::string_view name;
  const Tensor& tensor;
};

void RequireOneDType(Call call, std::initializer_list<Named> all, const Tensor& x) {
  for (const Named& t : all) {
    if (t.tensor.dtype() == x.dtype()) continue;
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected ", t.name, " of dtype ", x.dtype(), ", x's; got ", t.tensor.dtype()});
  }
  if (IsFloating(x.dtype())) return;
  Fail(ErrorCode::kNotImplemented, call.op(), {"x must be floating, got ", x.dtype()});
}

// Sizes of x, and half of them along dim.
void RequireSizes(Call call, std::initializer_list<Named> whole, std::initializer_list<Named> half,
                  const Tensor& x, int64_t dim) {
  if (x.size(dim) % 2 != 0) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"the size along dim ", dim, " must be even, got ", x.sizes()});
  }
  std::vector<int64_t> sizes(x.sizes().begin(), x.sizes().end());
  const auto require = [&](std::initializer_list<Named> all) {
    for (const Named& t : all) {
      if (SameSizes(t.tensor.sizes(), sizes)) continue;
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"expected ", t.name, " of sizes ", IntSpan(sizes), ", got ", t.tensor.sizes()});
    }
  };
  require(whole);
  sizes[static_cast<size_t>(dim)] /= 2;
  require(half);
}

Tensor FirstHalf(const Tensor& t, int64_t dim) { return narrow(t, dim, 0, t.size(dim) / 2); }
Tensor SecondHalf(const Tensor& t, int64_t dim) {
  return narrow(t, dim, t.size(dim) / 2, t.size(dim) / 2);
}

// 16-bit floats are computed with in float32, and rounded once.
DType ComputedIn(DType d) { return ItemSize(d) < 4 ? DType::kFloat32 : d; }

Tensor GluJvp(Call call, const Tensor& glu, const Tensor& x, const Tensor& dx, int64_t dim) {
  RequireOneDType(call, {{"glu", glu}, {"dx", dx}}, x);
  dim = WrapDimOf(call, dim, x);
  RequireSizes(call, {{"dx", dx}}, {{"glu", glu}}, x, dim);
  const DType d = ComputedIn(x.dtype());
  const Tensor s = sigmoid(to(SecondHalf(x, dim), d)), change = to(dx, d);
  const Tensor out = add(mul(FirstHalf(change, dim), s),
                         mul(mul(to(glu, d), rsub(s, 1)), SecondHalf(change, dim)));
  return to(out, x.dtype());
}
const Composite glu_jvp_body{"glu_jvp", GluJvp};

// grad_x = (g s, g s a (1 - s)) = (p, p a (1 - s)).
Tensor GluBackwardJvp(Call call, const Tensor& grad_x, const Tensor& grad_glu, const Tensor& x,
                      const Tensor& dgrad_glu, const Tensor& dx, int64_t dim) {
  RequireOneDType(
      call, {{"grad_x", grad_x}, {"grad_glu", grad_glu}, {"dgrad_glu", dgrad_glu}, {"dx", dx}}, x);
  dim = WrapDimOf(call, dim, x);
  RequireSizes(call, {{"grad_x", grad_x}, {"dx", dx}},
               {{"grad_glu", grad_glu}, {"dgrad_glu", dgrad_glu}}, x, dim);
  const DType d = ComputedIn(x.dtype());
  const Tensor all = to(x, d), change = to(dx, d), a = FirstHalf(all, dim);
  const Tensor s = sigmoid(SecondHalf(all, dim)), rest = rsub(s, 1);
  const Tensor da = FirstHalf(change, dim), db = SecondHalf(change, dim);
  const Tensor p = FirstHalf(to(grad_x, d), dim);
  const Tensor dp = add(mul(to(dgrad_glu, d), s), mul(mul(p, rest), db));
  const Tensor dq =
      sub(add(mul(mul(dp, a), rest), mul(mul(p, da), rest)), mul(mul(mul(p, a), mul(s, rest)), db));
  return to(cat({dp, dq}, dim), x.dtype());
}
const Composite glu_backward_jvp_body{"glu_backward_jvp", GluBackwardJvp};

}  // namespace
}  // namespace sy
