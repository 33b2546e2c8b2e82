// Discrete Fourier transforms over several dimensions, by which all others are computed: complex to
// complex (_fft_c2c), real to complex (_fft_r2c), and back to real (_fft_c2r).
//   self: complex64 or complex128 (c2c, c2r), float32 or float64 (r2c); dim: distinct dimensions of
//   at least one element; normalization: 0 none, 1 by the root of the number of elements, 2 by
//   that number   →   sizes of self; onesided: size / 2 + 1 along the last of dim; c2r:
//   last_dim_size along it, which self has last_dim_size / 2 + 1 elements of
//   forward: sums of x exp(-2 pi i j k / n), else of x exp(2 pi i j k / n), which c2r has
// The transformed dimensions of the result lie innermost in memory.
// Errors: kInvalidArgument for other dtypes, dims and sizes; kOutOfRange for a dimension out of
// range.
// Example: sy::_fft_r2c(sy::ones({8}), {0}, 0, true)
// Source: ATen _fft_c2c, _fft_r2c, _fft_c2r; native/mkl/SpectralOps.cpp for how results lie.
#include <algorithm>

#include "switchyard/core/checked.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

// Wraps the transformed dimensions, and checks them.
void RequireDims(ShapeContext& r, const TensorBase& self, IntSpan& dims, DTypeMask dtypes) {
  if (!Contains(dtypes, self.dtype())) {
    r.Fail({"self must be ",
            Contains(dtypes, DType::kComplex64) ? "complex64 or complex128" : "float32 or float64",
            ", got ", self.dtype()});
  }
  WrapDims(r, dims, self);
  for (int64_t d : dims) {
    if (self.dim() == 0) r.Fail({"self must have dimensions to transform, got a 0-d tensor"});
    if (self.sizes()[d] < 1)
      r.Fail({"dim ", d, " must have at least one element, got sizes ", self.sizes()});
  }
}

// Strides of a result of these sizes, from those of what is transformed. keep_last: the last of
// dims stays the innermost one, whatever the strides are.
int64_t* TransformedStrides(ShapeContext& r, IntSpan sizes, IntSpan from, IntSpan dims,
                            bool keep_last) {
  const auto rank = static_cast<int64_t>(sizes.size());
  int64_t *order = r.Ints(rank), *strides = r.Ints(rank);
  const auto larger = [&](int64_t a, int64_t b) { return from[a] > from[b]; };
  int64_t* end = order;
  for (int64_t d = 0; d < rank; ++d) {
    if (std::find(dims.begin(), dims.end(), d) == dims.end()) *end++ = d;
  }
  std::sort(order, end, larger);
  int64_t* const last = std::copy(dims.begin(), dims.end(), end);
  if (!dims.empty()) std::sort(end, last - (keep_last ? 1 : 0), larger);
  int64_t stride = 1;
  for (int64_t i = rank - 1; i >= 0; --i) {
    strides[order[i]] = stride;
    // Too many elements are refused where the output is made.
    stride = ProductOr(stride, std::max<int64_t>(sizes[order[i]], 1), 1);
  }
  return strides;
}

// As ATen, which resizes out= row-major.
void SetStrides(const ShapeContext& r, OutputSpec& o, const int64_t* strides) {
  if (r.variant() != Variant::kOut) o.strides = strides;
}

void RequireNormalization(ShapeContext& r, int64_t normalization) {
  if (normalization < 0 || normalization > 2)
    r.Fail({"normalization must be 0, 1 or 2, got ", normalization});
}

void ComplexShape(ShapeContext& r, const TensorBase& self, IntSpan& dims, int64_t normalization,
                  bool /*forward*/) {
  RequireDims(r, self, dims, kComplexTypes);
  RequireNormalization(r, normalization);
  OutputSpec& o = r.Output(self.sizes(), self.dtype());
  SetStrides(r, o, TransformedStrides(r, self.sizes(), self.strides(), dims, false));
}

void FromRealShape(ShapeContext& r, const TensorBase& self, IntSpan& dims, int64_t normalization,
                   bool onesided) {
  RequireDims(r, self, dims, Mask(DType::kFloat32, DType::kFloat64));
  RequireNormalization(r, normalization);
  if (dims.empty()) r.Fail({"dim must name at least one dimension"});
  int64_t* sizes = r.Ints(self.dim());
  std::copy(self.sizes().begin(), self.sizes().end(), sizes);
  if (onesided) sizes[dims.back()] = sizes[dims.back()] / 2 + 1;
  OutputSpec& o = r.Output(IntSpan(sizes, self.sizes().size()), ComplexType(self.dtype()));
  SetStrides(r, o, TransformedStrides(r, o.size_span(), self.strides(), dims, true));
}

void ToRealShape(ShapeContext& r, const TensorBase& self, IntSpan& dims, int64_t normalization,
                 int64_t last_dim_size) {
  RequireDims(r, self, dims, kComplexTypes);
  RequireNormalization(r, normalization);
  if (dims.empty()) r.Fail({"dim must name at least one dimension"});
  const int64_t last = dims.back();
  if (last_dim_size < 1 || self.sizes()[last] < last_dim_size / 2 + 1) {
    r.Fail({"last_dim_size must be at least 1, and self must have half as many elements and one ",
            "along dim ", last, ", got ", last_dim_size, " and sizes ", self.sizes()});
  }
  int64_t* sizes = r.Ints(self.dim());
  std::copy(self.sizes().begin(), self.sizes().end(), sizes);
  sizes[last] = last_dim_size;
  // The others are transformed first, by themselves.
  IntSpan from = self.strides();
  if (dims.size() > 1) {
    from = IntSpan(TransformedStrides(r, self.sizes(), from, dims.first(dims.size() - 1), false),
                   from.size());
  }
  OutputSpec& o = r.Output(IntSpan(sizes, self.sizes().size()), RealType(self.dtype()));
  SetStrides(r, o, TransformedStrides(r, o.size_span(), from, dims.last(1), false));
  r.SetComputeDType(self.dtype());
}

}  // namespace

const Operator fft_c2c_op{
    "_fft_c2c(Tensor self, SymInt[] dim, int normalization, bool forward) -> Tensor", ComplexShape,
    kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator fft_r2c_op{
    "_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor", FromRealShape,
    kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator fft_c2r_op{
    "_fft_c2r(Tensor self, int[] dim, int normalization, SymInt last_dim_size) -> Tensor",
    ToRealShape, kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
