// Operators that reduce: sums, products, extremes and where they are, truths, spreads, norms.

#include <cmath>
#include <optional>

#include "backends/cuda/kernels/pointwise.h"
#include "backends/cuda/kernels/reduce.h"
#include "switchyard/core/error.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {
namespace {

// Literals are kernels' keys: one of each.
constexpr Reduction kSum{"Sum"}, kMean{"Sum", "Mean"}, kProd{"Prod"}, kMax{"Max"}, kMin{"Min"},
    kMaxAt{"MaxAt"}, kMinAt{"MinAt"}, kAny{"Any"}, kAll{"All"}, kNanSum{"NanSum"};
constexpr DTypeMask kSummed = kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes;
constexpr DTypeMask kOrdered = kBool | kIntegers | kHalves | kFloats;

void Sum(Call call, const Tensor& out, const Tensor& self, Optional<DType>) {
  Reduce(call, kSum, call.dtype(), self, kAllDims, &out);
}
void SumDim(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim, bool,
            Optional<DType>) {
  Reduce(call, kSum, call.dtype(), self, DimMask(self, dim), &out);
}
void MeanDim(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim, bool,
             Optional<DType>) {
  Reduce(call, kMean, call.dtype(), self, DimMask(self, dim), &out);
}
void Prod(Call call, const Tensor& out, const Tensor& self, Optional<DType>) {
  Reduce(call, kProd, call.dtype(), self, kAllDims, &out);
}
void ProdDim(Call call, const Tensor& out, const Tensor& self, int64_t dim, bool, Optional<DType>) {
  Reduce(call, kProd, call.dtype(), self, DimMask(self, dim), &out);
}
void Nansum(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim, bool,
            Optional<DType>) {
  const bool integers = IsIntegral(self.dtype(), true) || IsIntegral(call.dtype(), true);
  if (!integers && !Contains(kFloatingTypes, call.dtype())) {
    Fail(ErrorCode::kNotImplemented,
         {call.op(), "(): a floating tensor cannot be summed in ", call.dtype()});
  }
  Reduce(call, integers ? kSum : kNanSum, call.dtype(), self, DimMask(self, dim), &out);
}
void CountDims(Call call, const Tensor& out, const Tensor& self, IntSpan dim) {
  Reduce(call, kSum, DType::kBool, self, DimMask(self, dim), &out);
}
void Count(Call call, const Tensor& out, const Tensor& self, std::optional<int64_t> dim) {
  CountDims(call, out, self, dim ? IntSpan(&*dim, 1) : IntSpan());
}

const Kernel sum{"sum", "cuda", kSummed, Sum};
const Kernel sum_dim{"sum.dim_IntList", "cuda", kSummed, SumDim};
const Kernel mean{"mean.dim", "cuda", kFloatingTypes | kComplexTypes, MeanDim};
const Kernel prod{"prod", "cuda", kSummed, Prod};
const Kernel prod_dim{"prod.dim_int", "cuda", kSummed, ProdDim};
const Kernel nansum{"nansum", "cuda", kSummed, Nansum};
constexpr DTypeMask kCounted = kAllTypes & ~(kWideUnsigned | kFloat8s);
const Kernel count{"count_nonzero", "cuda", kCounted, Count};
const Kernel count_dims{"count_nonzero.dim_IntList", "cuda", kCounted, CountDims};

void HashTensor(Call call, const Tensor& out, const Tensor& self, IntSpan dim, bool, int64_t) {
  constexpr Reduction kXor{"XorOfBits"};
  const DType wide = IsFloating(self.dtype()) ? DType::kFloat64 : DType::kInt64;
  Reduce(call, kXor, wide, self, DimMask(self, dim), &out);
}
const Kernel hash_tensor{"hash_tensor", "cuda", kBool | kIntegers | kFloatingTypes, HashTensor};

// --- Extremes.
template <const Reduction& kWhich>
void Whole(Call call, const Tensor& out, const Tensor& self) {
  Reduce(call, kWhich, call.dtype(), self, kAllDims, &out);
}
template <const Reduction& kWhich>
void WithPositions(Call call, const Tensor& values, const Tensor& indices, const Tensor& self,
                   int64_t dim, bool) {
  Reduce(call, kWhich, call.dtype(), self, DimMask(self, dim), &values, &indices);
}
template <const Reduction& kWhich>
void OfDims(Call call, const Tensor& out, const Tensor& self, IntSpan dim, bool) {
  Reduce(call, kWhich, call.dtype(), self, DimMask(self, dim), &out);
}
template <const Reduction& kWhich>
void Position(Call call, const Tensor& out, const Tensor& self, std::optional<int64_t> dim, bool) {
  Reduce(call, kWhich, call.dtype(), self, dim ? DimMask(self, *dim) : kAllDims, nullptr, &out);
}
void Aminmax(Call call, const Tensor& min, const Tensor& max, const Tensor& self,
             std::optional<int64_t> dim, bool) {
  const uint64_t mask = dim ? DimMask(self, *dim) : kAllDims;
  Reduce(call, kMin, call.dtype(), self, mask, &min);
  Reduce(call, kMax, call.dtype(), self, mask, &max);
}
template <const Reduction& kWhich>
void Truth(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim, bool) {
  const uint64_t mask = dim && dim->empty() ? 0 : DimMask(self, dim);
  Reduce(call, kWhich, DType::kBool, self, mask, &out);
}

const Kernel max{"max", "cuda", kOrdered, Whole<kMax>};
const Kernel min{"min", "cuda", kOrdered, Whole<kMin>};
const Kernel max_dim{"max.dim", "cuda", kOrdered, WithPositions<kMaxAt>};
const Kernel min_dim{"min.dim", "cuda", kOrdered, WithPositions<kMinAt>};
const Kernel amax{"amax", "cuda", kOrdered, OfDims<kMax>};
const Kernel amin{"amin", "cuda", kOrdered, OfDims<kMin>};
const Kernel aminmax{"aminmax", "cuda", kOrdered, Aminmax};
const Kernel argmax{"argmax", "cuda", kOrdered & ~kBool, Position<kMaxAt>};
const Kernel argmin{"argmin", "cuda", kOrdered & ~kBool, Position<kMinAt>};
const Kernel any{"any.dims", "cuda", Mask(DType::kBool, DType::kUInt8), Truth<kAny>};
const Kernel all{"all.dims", "cuda", Mask(DType::kBool, DType::kUInt8), Truth<kAll>};

// --- Spreads.
Reduction SpreadOf(bool root, const std::optional<Scalar>& correction) {
  constexpr Reduction kVariance{"Moments", "Variance"}, kDeviation{"Moments", "Deviation"};
  Reduction r = root ? kDeviation : kVariance;
  r.parameter = correction ? correction->To<double>() : 1;
  return r;
}
// The variances of real and imaginary parts add up.
void ComplexSpread(Call call, bool root, const Tensor& out, const Tensor& self, uint64_t mask,
                   const std::optional<Scalar>& correction) {
  const auto in = [&](DType d) { return Call{call.kernel, WithDType(call.key, d)}; };
  const DType complex = call.dtype() == DType::kComplex32 ? DType::kComplex64 : call.dtype(),
              real = RealType(complex);
  const Tensor part = Tensor::Empty(self.sizes(), real, self.device());
  const auto variance = [&](const FormulaDef& of) {
    RunFormula(in(complex), of, part, {&self});
    const Tensor v = Tensor::Empty(out.sizes(), DType::kFloat64, self.device());
    Reduce(call, SpreadOf(false, correction), real, part, mask, &v);
    return v;
  };
  const Tensor sum = variance(*Formula("real_part")), other = variance(*Formula("imaginary_part"));
  RunFormula(in(DType::kFloat64), *Formula("add"), root ? sum : out, {&sum, &other});
  if (root) RunFormula(in(DType::kFloat64), *Formula("sqrt"), out, {&sum});
}
template <bool kRoot>
void Spread(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim,
            const std::optional<Scalar>& correction, bool) {
  const uint64_t mask = DimMask(self, dim);
  if (IsComplex(call.dtype())) return ComplexSpread(call, kRoot, out, self, mask, correction);
  Reduce(call, SpreadOf(kRoot, correction), call.dtype(), self, mask, &out);
}
template <bool kRoot>
void SpreadAndMean(Call call, const Tensor& out, const Tensor& mean, const Tensor& self,
                   std::optional<IntSpan> dim, const std::optional<Scalar>& correction,
                   bool keepdim) {
  if (IsComplex(call.dtype())) {
    Spread<kRoot>(call, out, self, dim, correction, keepdim);
    return Reduce(call, kMean, call.dtype(), self, DimMask(self, dim), &mean);
  }
  Reduce(call, SpreadOf(kRoot, correction), call.dtype(), self, DimMask(self, dim), &out, &mean);
}

constexpr DTypeMask kSpread = kFloatingTypes | kComplexTypes | kComplex32;
const Kernel std_kernel{"std.correction", "cuda", kSpread, Spread<true>};
const Kernel var{"var.correction", "cuda", kSpread, Spread<false>};
const Kernel std_mean{"std_mean.correction", "cuda", kSpread, SpreadAndMean<true>};
const Kernel var_mean{"var_mean.correction", "cuda", kSpread, SpreadAndMean<false>};

void Norm(Call call, const Tensor& out, const Tensor& self, const Scalar& ord,
          std::optional<IntSpan> dim, bool, Optional<DType>) {
  constexpr Reduction kMagnitudes{"SumOfMagnitudes"}, kLength{"SumOfSquares", "SquareRoot"};
  const uint64_t mask = DimMask(self, dim);
  const double p = ord.To<double>();
  DType dtype = call.dtype();
  if (p == 0) return Reduce(call, kSum, DType::kBool, self, mask, &out);
  Tensor x = self;
  if (IsComplex(dtype) || (p != 1 && p != 2)) {
    const bool narrow = dtype == DType::kComplex32 || Contains(kHalfTypes, dtype);
    const DType real = narrow ? DType::kFloat32 : RealType(dtype);
    x = Tensor::Empty(self.sizes(), real, self.device());
    const DType in = IsComplex(dtype) ? ComplexType(real) : real;
    RunFormula({call.kernel, WithDType(call.key, in)}, *Formula("abs"), x, {&self});
    dtype = real;
  }
  if (p == 1) return Reduce(call, kMagnitudes, dtype, x, mask, &out);
  if (p == 2) return Reduce(call, kLength, dtype, x, mask, &out);
  if (std::isinf(p)) return Reduce(call, p > 0 ? kMax : kMin, dtype, x, mask, &out);
  const Tensor power = NumberTensor(ord);
  RunFormula({call.kernel, WithDType(call.key, dtype)}, *Formula("pow"), x, {&x, &power});
  Reduction root{"Sum", "Root"};
  root.parameter = p;
  Reduce(call, root, dtype, x, mask, &out);
}
const Kernel norm{"linalg_vector_norm", "cuda",
                  kFloatingTypes | kComplexTypes | Bit(DType::kComplex32), Norm};

}  // namespace
}  // namespace sy::cuda
