// Numbers of successes among trials, each of which succeeds with a probability.
//   count, prob: float32 or float64, one dtype, sizes that broadcast; a count below 0 is 0, a prob
//   outside [0, 1] the nearer of the two   →   common sizes, row-major; NaN where one is NaN
// Errors: kInvalidArgument for dtypes that differ or sizes that do not broadcast; kNotImplemented
// for other dtypes.
// Example: sy::binomial(sy::full({3}, 10.), sy::full({3}, 0.5))
// Source: ATen binomial; the numbers for a seed are PyTorch's.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void BinomialShape(ShapeContext& r, const TensorBase& count, const TensorBase& prob, Generator*) {
  RequireDType(r, count, Mask(DType::kFloat32, DType::kFloat64), "count");
  RequireSameDType(r, count, prob, "count", "prob");
  int64_t sizes[kMaxRank];
  const int rank = Broadcast(count.sizes(), prob.sizes(), sizes, r.op());
  r.Output(r.Copy(IntSpan(sizes, static_cast<size_t>(rank))), count.dtype());
}

}  // namespace

const Operator binomial_op{
    "binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor", BinomialShape,
    kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
