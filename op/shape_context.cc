#include "switchyard/op/shape_context.h"

#include <algorithm>
#include <array>
#include <new>
#include <string>

#include "switchyard/core/dimension_order.h"
#include "switchyard/op/kernel.h"
#include "switchyard/registry/entry.h"

namespace sy {

const KernelDef ShapeContext::kNothing = {};

std::string_view ShapeContext::op() const { return op_.name(); }

void ShapeContext::Fail(ErrorCode code, std::initializer_list<Piece> pieces) const {
  try {
    sy::Fail(code, op(), {Join(pieces)});
  } catch (const std::bad_alloc&) {  // of Join
    throw Error::OutOfMemory();
  }
}

void ShapeContext::FailDim(int64_t dim, int64_t rank) const {
  const int64_t n = rank == 0 ? 1 : rank;
  Fail(ErrorCode::kOutOfRange, {"dim ", dim, " is out of range: expected ", -n, " to ", n - 1,
                                " for a ", rank, "-d tensor"});
}

void ShapeContext::FailScratch() const {
  Fail(ErrorCode::kInvalidArgument, {"too many dimensions: at most ", kMaxRank});
}

IntSpan ShapeContext::Copy(IntSpan values) {
  int64_t* p = Ints(static_cast<int64_t>(values.size()));
  std::copy(values.begin(), values.end(), p);
  return {p, values.size()};
}

OutputSpec& ShapeContext::OutputLike(const TensorBase& t, DType dtype) {
  OutputSpec& o = Output(t.sizes(), dtype);
  if (!t.is_contiguous()) {
    int64_t* strides = Ints(t.dim());
    PreservedStrides(t.sizes(), t.strides(), strides);
    o.strides = strides;
  }
  return o;
}

OutputSpec& ShapeContext::OutputStartsAsSelf(const TensorBase& self) {
  OutputSpec& o = Output(self.sizes(), self.dtype());
  o.starts_as = 0;
  return o;
}

void ShapeContext::View(IntSpan sizes, IntSpan strides, int64_t offset) {
  OutputSpec& o = Output(sizes, DType::kBool);
  o.strides = strides.data();
  o.offset = offset;
}

void ShapeContext::FindPlace() {
  if (pinned_) return SetDevice(Device{kHost});
  CommonPlace common(/*host_numbers_join=*/false);
  const auto add = [&](const TensorBase& t) {
    if (!common.Add(t)) FailPlaces(op(), common.of(), t, tensors());
  };
  for (const TensorBase* t : tensors()) add(*t);
  ForEachListed(add);
  place_ = common.place();
  if (!has_place()) SetDevice(std::nullopt);
}

// --- Pointwise ---

namespace {

// Output strides for operands that broadcast or lie differently: the order of dimensions in which
// operands, the first one first, have ascending strides. Operands of another dtype than
// `converted_to` count as what converting them gives, which is dense. Source:
// TensorIteratorBase::compute_types, reorder_dimensions and compute_fast_setup_type.
class OutputStrides {
 public:
  OutputStrides(std::span<const TensorBase* const> operands, IntSpan sizes,
                std::optional<DType> converted_to)
      : sizes_(sizes) {
    int64_t* room = converted_;
    for (const TensorBase* t : operands) {
      if (!t->defined()) continue;
      IntSpan strides = t->strides();
      if (converted_to && t->dtype() != *converted_to && !t->is_non_overlapping_and_dense()) {
        PreservedStrides(t->sizes(), strides, room);
        strides = {room, strides.size()};
        room += strides.size();
      }
      operands_[num_operands_++] = {t->sizes(), strides};
    }
  }

  // False: row-major.
  bool Find(int64_t* out) {
    bool same_shape = true, contiguous = true, channels_last = true, dense = true;
    const IntSpan first = operands_[0].strides;
    for (const Operand& t : operands()) {
      same_shape &= SameSizes(t.sizes, sizes_);
      contiguous &= IsRowMajor(t);
      channels_last &= IsChannelsLastContiguous(t.sizes, t.strides, MemoryFormat::kChannelsLast);
      dense &= IsNonOverlappingAndDense(t.sizes, t.strides) && SameSizes(t.strides, first);
    }
    if (same_shape) {
      if (contiguous) return false;
      if (channels_last) {
        FormatStrides(sizes_, MemoryFormat::kChannelsLast, out);
        return true;
      }
      if (dense) {
        std::copy(first.begin(), first.end(), out);
        return true;
      }
    }
    return Ordered(out);
  }

 private:
  struct Operand {
    IntSpan sizes, strides;
  };
  std::span<const Operand> operands() const { return {operands_, num_operands_}; }
  static bool IsRowMajor(const Operand& t) {
    int64_t expected = 1;
    for (size_t i = t.sizes.size(); i-- > 0;) {
      if (t.sizes[i] == 0) return true;
      if (t.sizes[i] == 1) continue;
      if (t.strides[i] != expected) return false;
      expected *= t.sizes[i];
    }
    return true;
  }
  int64_t Stride(const Operand& t, int d) const {
    const int64_t own = d - static_cast<int64_t>(sizes_.size() - t.sizes.size());
    if (own < 0 || (t.sizes[own] == 1 && sizes_[d] != 1)) return 0;
    return t.strides[own];
  }
  bool Ordered(int64_t* out) {
    const int n = static_cast<int>(sizes_.size());
    std::array<int, kMaxRank> order;
    OrderDimensions(
        sizes_, static_cast<int>(num_operands_),
        [this](int k, int d) { return Stride(operands_[k], d); }, order.data());
    bool row_major = true;
    int64_t stride = 1;
    for (int i = 0; i < n; ++i) {
      row_major &= order[i] == n - 1 - i;
      out[order[i]] = stride;
      // Too many elements are refused where the output is made.
      (void)__builtin_mul_overflow(stride, sizes_[order[i]], &stride);
    }
    return !row_major;
  }

  IntSpan sizes_;
  size_t num_operands_ = 0;
  Operand operands_[ShapeContext::kMaxTensors];
  int64_t converted_[ShapeContext::kMaxTensors *
                     kMaxRank];  // not initialised: written before it is read
};

// Whether a tensor of dtype d keeps it beside a number of that dtype: its category is no higher.
bool KeepsDType(DType d, DType number) {
  if (IsFloating(d)) return !IsComplex(number);
  return IsIntegral(d, false) && IsIntegral(number, true);
}

// What the first operand decides alone.
struct ByFirst {
  bool geometry;  // all others have its place and sizes, and no gaps, or are numbers
  bool dtype;     // and its dtype, or one that it keeps its own beside
};
SY_INLINE ByFirst LookAt(std::span<const TensorBase* const> operands) {
  const TensorBase& first = *operands[0];
  if (!first.defined() || !first.is_contiguous() || first.is_wrapped_number()) return {};
  bool dtype = true;
  for (const TensorBase* t : operands.subspan(1)) {
    if (t->is_wrapped_number() && t->is_host() && t->dim() == 0) {
      dtype &= KeepsDType(first.dtype(), t->dtype());
      continue;
    }
    if (PlaceOfKey(t->key()) != PlaceOfKey(first.key()) || !t->is_contiguous() ||
        !SameSizes(t->sizes(), first.sizes()))
      return {};
    dtype &= t->dtype() == first.dtype();
  }
  return {true, dtype};
}

OutputSpec& OutputAs(ShapeContext& r, const TensorBase& first, DType dtype) {
  r.SetPlaceOf(first);
  return r.Output(first.sizes(), dtype);
}
// Of operands that may broadcast, lie differently and on several devices.
OutputSpec& OutputOfAny(ShapeContext& r, DType dtype, std::span<const TensorBase* const> operands,
                        std::optional<DType> converted_to) {
  // Device: that of the tensors; 0-dim host tensors may join tensors elsewhere.
  CommonPlace at(/*host_numbers_join=*/true);
  for (const TensorBase* t : operands) {
    if (!at.Add(*t)) FailPlaces(r.op(), at.of(), *t, r.tensors());
  }
  if (at.place() != 0) r.SetPlaceOf(at.of());

  int64_t* sizes = nullptr;
  IntSpan common;
  bool row_major = true;  // as all operands are that have dimensions, and of the same sizes
  for (const TensorBase* t : operands) {
    if (!t->defined() || t->dim() == 0) continue;
    row_major &= t->is_contiguous();
    if (SameSizes(t->sizes(), common)) continue;
    if (common.empty()) {
      common = t->sizes();
      continue;
    }
    row_major = false;
    if (sizes == nullptr) sizes = r.Ints(kMaxRank);
    // In place the result has to have the sizes of sizes already combined, so the array may be read
    // and written.
    const int rank = Broadcast(common, t->sizes(), sizes, r.op());
    common = {sizes, static_cast<size_t>(rank)};
  }
  OutputSpec& o = r.Output(common, dtype);
  if (!row_major) {
    int64_t* strides = r.Ints(static_cast<int64_t>(common.size()));
    if (OutputStrides(operands, common, converted_to).Find(strides)) o.strides = strides;
  }
  return o;
}

}  // namespace

void ShapeContext::Pointwise(const TensorBase& a, Promote promote) {
  const TensorBase* operands[] = {&a};
  PointwiseOf(operands, promote);
}

void ShapeContext::PointwiseOf(std::span<const TensorBase* const> operands, Promote promote) {
  const ByFirst by_first = LookAt(operands);
  DType common = by_first.dtype ? operands[0]->dtype() : CommonDType(operands);
  if (promote == Promote::kFloat && IsIntegral(common, true)) common = DefaultDType();
  overlap_ = OverlapPolicy::kForbid;
  OutputSpec& o = by_first.geometry ? OutputAs(*this, *operands[0], common)
                                    : OutputOfAny(*this, common, operands, common);
  o.pointwise = true;
  o.cast = promote == Promote::kSame ? CastPolicy::kSame : CastPolicy::kCan;
  if (promote == Promote::kCompare) {
    o.dtype = DType::kBool;
    o.cast = CastPolicy::kAny;
  }
}

OutputSpec& ShapeContext::PointwiseAs(DType dtype, std::span<const TensorBase* const> operands,
                                      std::optional<DType> converted_to) {
  overlap_ = OverlapPolicy::kForbid;
  OutputSpec& o = LookAt(operands).geometry ? OutputAs(*this, *operands[0], dtype)
                                            : OutputOfAny(*this, dtype, operands, converted_to);
  o.pointwise = true;
  o.cast = CastPolicy::kCan;
  return o;
}

}  // namespace sy
