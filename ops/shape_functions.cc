#include "switchyard/ops/shape_functions.h"

#include <algorithm>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/dtype_names.h"
#include "switchyard/ops/number.h"

namespace sy {

void UnaryShape(PointwiseContext& r, const TensorBase& self) { r.Pointwise(self, Promote::kSame); }
void UnaryFloatShape(PointwiseContext& r, const TensorBase& self) {
  r.Pointwise(self, Promote::kFloat);
}
void BinaryShape(PointwiseContext& r, const TensorBase& self, const TensorBase& other) {
  r.Pointwise(self, other);
}
void BinaryFloatShape(PointwiseContext& r, const TensorBase& self, const TensorBase& other) {
  r.Pointwise(self, other, Promote::kFloat);
}
void CompareShape(PointwiseContext& r, const TensorBase& self, const TensorBase& other) {
  r.Pointwise(self, other, Promote::kCompare);
}

void CompareOrderedShape(PointwiseContext& r, const TensorBase& self, const TensorBase& other) {
  r.Pointwise(self, other, Promote::kCompare);
  if (IsComplex(r.compute_dtype()))
    r.Fail({"complex numbers have no order; got ", self.dtype(), " and ", other.dtype()});
}

void BinaryOrderedShape(PointwiseContext& r, const TensorBase& self, const TensorBase& other) {
  r.Pointwise(self, other);
  if (IsComplex(r.compute_dtype()))
    r.Fail({"complex numbers have no order; got ", self.dtype(), " and ", other.dtype()});
}

void RoundingShape(PointwiseContext& r, const TensorBase& self) {
  if (self.dtype() == DType::kBool || IsComplex(self.dtype())) {
    r.Fail(ErrorCode::kNotImplemented,
           {"expected a real tensor that is not bool, got ", self.dtype()});
  }
  UnaryShape(r, self);
}

void RequireFittingAlpha(const ShapeContext& r, const Scalar& alpha) {
  const DType d = r.compute_dtype();
  const bool same_category = alpha.is_complex()              ? IsComplex(d)
                             : alpha.is_floating()           ? IsFloating(d) || IsComplex(d)
                             : alpha.kind() == Scalar::kBool ? d == DType::kBool
                                                             : true;
  if (!same_category) FailNumber(r, alpha, d, "alpha");
  RequireStorable(r, alpha, d, "alpha");  // 16-bit floats too are multiplied in their own dtype
}

void FailNumber(const ShapeContext& r, const Scalar& number, DType d, std::string_view name) {
  r.Fail({name, " is ", number.str(), ", which does not fit ", d});
}

void RequireConvertible(const ShapeContext& r, const Scalar& number, DType d,
                        std::string_view name) {
  constexpr DTypeMask kRounded = kHalfTypes | kFloat8Types;
  const bool imaginary = number.is_complex() && number.complex_data()[1] != 0;
  if (!Contains(kRounded, d) || imaginary) RequireStorable(r, number, d, name);
}

void BitwiseShape(PointwiseContext& r, const TensorBase& self, const TensorBase& other) {
  r.Pointwise(self, other);
  if (!IsIntegral(r.compute_dtype(), true)) {
    r.Fail(ErrorCode::kNotImplemented,
           {"expected integers or bool, got ", self.dtype(), " and ", other.dtype()});
  }
}

void RequireDType(const ShapeContext& r, const TensorBase& t, DTypeMask allowed,
                  std::string_view name) {
  if (Contains(allowed, t.dtype())) return;
  r.Fail(ErrorCode::kNotImplemented,
         {name, " must be one of ", DTypeNames(allowed), ", got ", t.dtype()});
}

void RequireComputeDType(const ShapeContext& r, DTypeMask allowed) {
  if (Contains(allowed, r.compute_dtype())) return;
  r.Fail(ErrorCode::kNotImplemented, {"the common dtype of the operands must be one of ",
                                      DTypeNames(allowed), ", got ", r.compute_dtype()});
}

void TestSameShape(PointwiseContext& r, const TensorBase& self) {
  r.Pointwise(self, Promote::kCompare);
  r.output(0).cast = CastPolicy::kSame;
}

uint64_t WrapDims(ShapeContext& r, IntSpan& dims, const TensorBase& self) {
  uint64_t mask = 0;
  bool any = false;
  for (int64_t d : dims) {
    const uint64_t bit = uint64_t{1} << r.WrapDim(d, self);
    if ((mask & bit) != 0) r.Fail({"dim ", d, " appears more than once in ", dims});
    mask |= bit;
    any |= d < 0;
  }
  if (!any) return mask;
  int64_t* wrapped = r.Ints(static_cast<int64_t>(dims.size()));
  for (size_t i = 0; i < dims.size(); ++i) wrapped[i] = r.WrapDim(dims[i], self);
  dims = {wrapped, dims.size()};
  return mask;
}

namespace {

Reduced SizesLeft(ShapeContext& r, const TensorBase& self, uint64_t mask, bool keepdim) {
  int64_t* sizes = r.Ints(self.dim());
  size_t n = 0;
  for (int64_t i = 0; i < self.dim(); ++i) {
    const bool reduced = (mask >> i & 1) != 0;
    if (!reduced || keepdim) sizes[n++] = reduced ? 1 : self.sizes()[i];
  }
  return {{sizes, n}, mask};
}

}  // namespace

Reduced ReduceSizes(ShapeContext& r, const TensorBase& self, IntSpan& dims, bool keepdim) {
  const uint64_t mask = dims.empty() ? ~uint64_t{0} : WrapDims(r, dims, self);
  return SizesLeft(r, self, mask, keepdim);
}

Reduced ReduceSizes(ShapeContext& r, const TensorBase& self, int64_t& dim, bool keepdim) {
  dim = r.WrapDim(dim, self);
  return SizesLeft(r, self, uint64_t{1} << dim, keepdim);
}

Reduced ReduceSizes(ShapeContext& r, const TensorBase& self, std::optional<IntSpan>& dims,
                    bool keepdim) {
  if (dims) return ReduceSizes(r, self, *dims, keepdim);
  return SizesLeft(r, self, ~uint64_t{0}, keepdim);
}

Reduced ReduceSizes(ShapeContext& r, const TensorBase& self, std::optional<int64_t>& dim,
                    bool keepdim) {
  if (dim) return ReduceSizes(r, self, *dim, keepdim);
  return SizesLeft(r, self, ~uint64_t{0}, keepdim);
}

void RequireNonEmptyReduction(const ShapeContext& r, const TensorBase& self, uint64_t mask) {
  if (self.numel() != 0) return;
  for (int64_t i = 0; i < self.dim(); ++i) {
    if ((mask >> i & 1) != 0 && self.sizes()[i] == 0) {
      r.Fail(ErrorCode::kOutOfRange, {"dim ", i, " of sizes ", self.sizes(),
                                      " is empty, and there is no identity to return"});
    }
  }
}

DType AccumulatedDType(const ShapeContext& r, const TensorBase& self, Optional<DType> dtype) {
  if (dtype) return *dtype;
  if (r.given_out(0) != nullptr) return r.given_out(0)->dtype();
  return IsIntegral(self.dtype(), true) ? DType::kInt64 : self.dtype();
}

DType TruthDType(const ShapeContext& r, const TensorBase& self) {
  if (const TensorBase* out = r.given_out(0)) {
    if (out->dtype() != DType::kBool && out->dtype() != DType::kUInt8) {
      r.Fail({"out must be bool or uint8, got ", out->dtype()});
    }
    return out->dtype();
  }
  return self.dtype() == DType::kUInt8 ? DType::kUInt8 : DType::kBool;
}

void TruthShape(ShapeContext& r, const TensorBase& self, std::optional<IntSpan>& dim,
                bool keepdim) {
  const bool each = dim && dim->empty();
  const IntSpan sizes = each ? self.sizes() : ReduceSizes(r, self, dim, keepdim).sizes;
  r.Output(sizes, TruthDType(r, self));
}

void ExtremeShape(ShapeContext& r, const TensorBase& self) {
  if (self.numel() == 0)
    r.Fail({"self has no elements, and there is no identity to return; got sizes ", self.sizes()});
  if (IsComplex(self.dtype())) r.Fail({"complex numbers have no order; got ", self.dtype()});
  r.Output(IntSpan(), self.dtype()).cast = CastPolicy::kCan;
}

void ExtremeDimShape(ShapeContext& r, const TensorBase& self, int64_t& dim, bool keepdim) {
  const Reduced left = ReduceSizes(r, self, dim, keepdim);
  RequireNonEmptyReduction(r, self, left.mask);
  if (IsComplex(self.dtype())) r.Fail({"complex numbers have no order; got ", self.dtype()});
  r.Output(left.sizes, self.dtype());
  r.Output(left.sizes, DType::kInt64);
}

void RequireSameDType(const ShapeContext& r, const TensorBase& a, const TensorBase& b,
                      std::string_view name_a, std::string_view name_b) {
  if (a.dtype() != b.dtype()) {
    r.Fail({name_a, " and ", name_b, " must have the same dtype, got ", a.dtype(), " and ",
            b.dtype()});
  }
}

void RequireIndexDType(const ShapeContext& r, const TensorBase& index) {
  if (index.dtype() != DType::kInt64 && index.dtype() != DType::kInt32) {
    r.Fail({"index must be int64 or int32, got ", index.dtype()});
  }
}

void RequireIndexFits(const ShapeContext& r, const TensorBase& t, const TensorBase& index,
                      std::string_view name, int64_t dim) {
  const int64_t rank = std::max<int64_t>(t.dim(), 1);
  bool fits = std::max<int64_t>(index.dim(), 1) == rank;
  const auto size = [](const TensorBase& m, int64_t d) { return m.dim() == 0 ? 1 : m.sizes()[d]; };
  for (int64_t d = 0; fits && d < rank; ++d) fits = d == dim || size(index, d) <= size(t, d);
  if (fits) return;
  if (dim < 0)
    r.Fail({"index of sizes ", index.sizes(), " does not fit into ", name, "'s ", t.sizes()});
  r.Fail({"index of sizes ", index.sizes(), " does not fit into ", name, "'s ", t.sizes(),
          " except at dim ", dim});
}

void CreateUnusual(ShapeContext& r, Optional<Layout> layout, Optional<Device> device) {
  if (layout.value_or(Layout::kStrided) != Layout::kStrided)
    r.Fail({"layout must be strided, got ", Name(*layout)});
  const Device at = device.value_or(DefaultDevice());
  if (at.type == kHost) return r.PinOutputs();
  DeviceBackend* backend = FindBackend(at.type);
  if (backend != nullptr && backend->allocator() != nullptr)
    r.Fail({"only tensors on cpu can be in pinned memory, got device ", at.str()});
  r.SetDevice(device);
}

void UseFormat(ShapeContext& r, OutputSpec& o, MemoryFormat format) {
  if (format != MemoryFormat::kChannelsLast && format != MemoryFormat::kChannelsLast3d) return;
  const IntSpan size = o.size_span();
  const size_t rank = format == MemoryFormat::kChannelsLast ? 4 : 5;
  if (size.size() != rank) r.Fail({Name(format), " needs ", rank, " dimensions, got sizes ", size});
  int64_t* strides = r.Ints(static_cast<int64_t>(rank));
  FormatStrides(size, format, strides);
  o.strides = strides;
}

OutputSpec& OutputAs(ShapeContext& r, const TensorBase& self, DType dtype, MemoryFormat format) {
  return format == MemoryFormat::kPreserve ? r.OutputLike(self, dtype)
                                           : OutputInFormat(r, self.sizes(), dtype, format);
}

}  // namespace sy
