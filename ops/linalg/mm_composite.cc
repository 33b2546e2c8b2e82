// mm, bmm, addmm and baddbmm with a dtype of their own: of operands in that dtype.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// An operand in the dtype of the result.
Tensor Widened(Call call, const Tensor& t, DType out_dtype) {
  if (t.dtype() != out_dtype &&
      (out_dtype != DType::kFloat32 || !Contains(kHalfTypes, t.dtype()))) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"out_dtype must be the operands' dtype, or float32 for 16-bit floats; got ", out_dtype,
          " for ", t.dtype()});
  }
  return to(t, out_dtype);
}
void RequireOneDType(Call call, const Tensor& a, const Tensor& b) {
  if (a.dtype() == b.dtype()) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"matrices must have one dtype, got ", a.dtype(), " and ", b.dtype()});
}

template <Tensor (*kProduct)(const Tensor&, const Tensor&)>
Tensor Product(Call call, const Tensor& self, const Tensor& mat2, DType out_dtype) {
  RequireOneDType(call, self, mat2);
  return kProduct(Widened(call, self, out_dtype), Widened(call, mat2, out_dtype));
}
template <Tensor (*kProduct)(const Tensor&, const Tensor&, const Tensor&, const Scalar&,
                             const Scalar&)>
Tensor AddedProduct(Call call, const Tensor& self, const Tensor& a, const Tensor& b,
                    DType out_dtype, const Scalar& beta, const Scalar& alpha) {
  RequireOneDType(call, a, b);
  return kProduct(Widened(call, self, out_dtype), Widened(call, a, out_dtype),
                  Widened(call, b, out_dtype), beta, alpha);
}
const Composite mm_dtype_body{"mm.dtype", Product<mm>};
const Composite bmm_dtype_body{"bmm.dtype", Product<bmm>};
const Composite addmm_dtype_body{"addmm.dtype", AddedProduct<addmm>};
const Composite baddbmm_dtype_body{"baddbmm.dtype", AddedProduct<baddbmm>};

}  // namespace
}  // namespace sy
