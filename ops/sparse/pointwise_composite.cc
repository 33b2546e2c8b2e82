// Pointwise operators that keep zero: computed of the values that are held, once each position is
// held once.
#include "ops/sparse/held_composite.h"
#include "switchyard/dispatcher/call.h"

namespace sy {
namespace {

// The operator, of the values in place of the first argument.
void OfValues(const OperatorEntry& op, std::span<const Value> args, std::span<Result> results) {
  const Tensor& self = args[0].tensor();
  const Tensor held = self.is_sparse() ? coalesce(self) : self;
  const Tensor values = FindSparse(held)->values;
  std::vector<Value> of_values(args.begin(), args.end());
  of_values[0] = Value(values);
  CallBoxed(op, of_values, results);
  results[0].Set(WithValues({}, held, results[0].TakeTensor()));
}
// Of each value by itself: what is held twice may stay so.
void OfEach(const OperatorEntry& op, std::span<const Value> args, std::span<Result> results) {
  const Tensor self = args[0].tensor();
  const Tensor values = FindSparse(self)->values;
  std::vector<Value> of_values(args.begin(), args.end());
  of_values[0] = Value(values);
  CallBoxed(op, of_values, results);
  results[0].Set(WithValues({}, self, results[0].TakeTensor()));
}

#define SY_OF_VALUES(name) const LayoutKernel name##_sparse{#name, kAnySparse, OfValues};
SY_OF_VALUES(abs)
SY_OF_VALUES(angle)
SY_OF_VALUES(asin)
SY_OF_VALUES(asinh)
SY_OF_VALUES(atan)
SY_OF_VALUES(atanh)
SY_OF_VALUES(ceil)
SY_OF_VALUES(deg2rad)
SY_OF_VALUES(erf)
SY_OF_VALUES(erfinv)
SY_OF_VALUES(expm1)
SY_OF_VALUES(floor)
SY_OF_VALUES(frac)
SY_OF_VALUES(isinf)
SY_OF_VALUES(isnan)
SY_OF_VALUES(isneginf)
SY_OF_VALUES(isposinf)
SY_OF_VALUES(log1p)
SY_OF_VALUES(nan_to_num)
SY_OF_VALUES(rad2deg)
SY_OF_VALUES(relu)
SY_OF_VALUES(round)
SY_OF_VALUES(sgn)
SY_OF_VALUES(sign)
SY_OF_VALUES(signbit)
SY_OF_VALUES(sin)
SY_OF_VALUES(sinh)
SY_OF_VALUES(sqrt)
SY_OF_VALUES(tan)
SY_OF_VALUES(tanh)
SY_OF_VALUES(trunc)
#undef SY_OF_VALUES
const LayoutKernel round_decimals_sparse{"round.decimals", kAnySparse, OfValues};
const LayoutKernel conj_physical_sparse{"conj_physical", kAnySparse, OfEach};
const LayoutKernel neg_sparse{"neg", kAnySparse, OfEach};
const LayoutKernel positive_sparse{"positive", kAnySparse, OfEach};

Tensor Pow(Call call, const Tensor& self, const Scalar& exponent) {
  if (exponent.To<std::complex<double>>() == 0.0) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"an exponent of 0 would give a result without zeros, of ", Describe(self)});
  }
  const Tensor held = self.is_sparse() ? coalesce(self) : self;
  return WithValues(call, held, pow(FindSparse(held)->values, exponent));
}
const LayoutKernel pow_sparse{"pow.Tensor_Scalar", kAnySparse, Pow};

}  // namespace
}  // namespace sy
