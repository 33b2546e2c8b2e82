#include "switchyard/registry/rule.h"

#include <algorithm>
#include <array>
#include <new>
#include <string>

#include "switchyard/registry/entry.h"
#include "switchyard/registry/kernel.h"

namespace sy {

const KernelDef Rule::kNothing = {};

std::string_view Rule::op() const { return op_.name(); }

void Rule::Fail(ErrorCode code, std::initializer_list<Piece> pieces) const {
  try {
    sy::Fail(code, {op(), "(): ", Join(pieces)});
  } catch (const std::bad_alloc&) {  // of Join
    throw Error::OutOfMemory();
  }
}

void Rule::FailDim(int64_t dim, int64_t rank) const {
  const int64_t n = rank == 0 ? 1 : rank;
  Fail(ErrorCode::kOutOfRange, {"dim ", dim, " is out of range: expected ", -n, " to ", n - 1,
                                " for a ", rank, "-d tensor"});
}

void Rule::FailScratch() const {
  Fail(ErrorCode::kInvalidArgument, {"too many dimensions: at most ", kMaxRank});
}

void Rule::FailPlace(const Meta& a, const Meta& b) const {
  std::string list;
  for (const Meta* t : tensors()) {
    if (t->defined()) list += (list.empty() ? "" : ", ") + Describe(*t);
  }
  Fail(ErrorCode::kInvalidArgument, {"tensors are on different devices, ", a.device().str(),
                                     " and ", b.device().str(), ": ", list});
}

IntSpan Rule::Copy(IntSpan values) {
  int64_t* p = Ints(static_cast<int64_t>(values.size()));
  std::copy(values.begin(), values.end(), p);
  return {p, values.size()};
}

OutputSpec& Rule::OutputLike(const Meta& t, DType dtype) {
  OutputSpec& o = Output(t.sizes(), dtype);
  if (!t.is_contiguous()) {
    int64_t* strides = Ints(t.dim());
    PreservedStrides(t.sizes(), t.strides(), strides);
    o.strides = strides;
  }
  return o;
}

OutputSpec& Rule::OutputStartsAsSelf(const Meta& self) {
  OutputSpec& o = Output(self.sizes(), self.dtype());
  o.starts_as = 0;
  return o;
}

void Rule::View(IntSpan sizes, IntSpan strides, int64_t offset) {
  OutputSpec& o = Output(sizes, DType::kBool);
  o.strides = strides.data();
  o.offset = offset;
}

void Rule::AddPlace(const Meta& t) {
  if (!t.defined()) return;
  const KeyWord place = PlaceOfKey(t.key());
  if (!has_place()) {
    place_ = place;
  } else if (place != place_) {
    for (const Meta* first : tensors()) {
      if (PlaceOfKey(first->key()) == place_) FailPlace(*first, t);
    }
    ForEachListed([&](const Tensor& first) {
      if (PlaceOfKey(first.key()) == place_) FailPlace(first, t);
    });
  }
}

void Rule::FindPlace() {
  if (pinned_) return SetDevice(Device{kHost});
  for (const Meta* t : tensors()) AddPlace(*t);
  ForEachListed([&](const Tensor& t) { AddPlace(t); });
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
  OutputStrides(std::span<const Meta* const> operands, IntSpan sizes,
                std::optional<DType> converted_to)
      : sizes_(sizes) {
    int64_t* room = converted_;
    for (const Meta* t : operands) {
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
  // > 0: dimension y belongs inside x.
  int Compare(int x, int y) const {
    for (const Operand& t : operands()) {
      const int64_t sx = Stride(t, x), sy = Stride(t, y);
      if (sx == 0 || sy == 0) continue;
      if (sx != sy) return sx < sy ? -1 : 1;
      if (sizes_[x] > sizes_[y]) return 1;
    }
    return 0;
  }
  bool Ordered(int64_t* out) {
    const int n = static_cast<int>(sizes_.size());
    std::array<int, kMaxRank> order;
    for (int i = 0; i < n; ++i) order[i] = n - 1 - i;
    for (int i = 1; i < n; ++i) {
      for (int at = i, j = i - 1; j >= 0; --j) {
        const int c = Compare(order[j], order[at]);
        if (c < 0) break;
        if (c > 0) {
          std::swap(order[j], order[at]);
          at = j;
        }
      }
    }
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
  Operand operands_[Rule::kMaxTensors];
  int64_t converted_[Rule::kMaxTensors * kMaxRank];  // not initialised: written before it is read
};

}  // namespace

void Rule::Pointwise(const Meta& a, Promote promote) {
  const Meta* operands[] = {&a};
  PointwiseOf(operands, promote);
}

void Rule::PointwiseOf(std::span<const Meta* const> operands, Promote promote) {
  const Meta* first = nullptr;
  bool same = true;
  for (const Meta* t : operands) {
    if (!t->defined()) continue;
    if (first == nullptr) first = t;
    same &= t->dtype() == first->dtype() && !t->is_wrapped_number();
  }
  DType common = first->dtype();
  if (!same) {
    TypePromotion types;
    for (const Meta* t : operands) types.Add(*t);
    common = types.Result();
  }
  if (promote == Promote::kFloat && IsIntegral(common, true)) common = DefaultDType();
  OutputSpec& o = PointwiseAs(common, operands, common);
  o.cast = promote == Promote::kSame ? CastPolicy::kSame : CastPolicy::kCan;
  if (promote == Promote::kCompare) {
    o.dtype = DType::kBool;
    o.cast = CastPolicy::kAny;
  }
}

OutputSpec& Rule::PointwiseAs(DType dtype, std::span<const Meta* const> operands,
                              std::optional<DType> converted_to) {
  overlap_ = OverlapPolicy::kForbid;
  // Device: that of the tensors; 0-dim host tensors may join tensors elsewhere.
  const Meta* place_of = nullptr;
  for (const Meta* t : operands) {
    if (!t->defined()) continue;
    const bool guest = t->is_host() && t->dim() == 0;
    if (place_of == nullptr || (place_of->is_host() && place_of->dim() == 0)) {
      place_of = t;
    } else if (!guest && PlaceOfKey(t->key()) != PlaceOfKey(place_of->key())) {
      FailPlace(*place_of, *t);
    }
  }
  place_ = PlaceOfKey(place_of->key());

  int64_t* sizes = nullptr;
  IntSpan common = place_of->sizes();
  for (const Meta* t : operands) {
    if (!t->defined() || SameSizes(t->sizes(), common)) continue;
    if (sizes == nullptr) sizes = Ints(kMaxRank);
    // In place the result has to have the sizes of sizes already combined, so the array may be read
    // and written.
    const int rank = Broadcast(common, t->sizes(), sizes, op());
    common = {sizes, static_cast<size_t>(rank)};
  }
  int64_t* strides = Ints(static_cast<int64_t>(common.size()));
  OutputSpec& o = Output(common, dtype);
  if (OutputStrides(operands, common, converted_to).Find(strides)) o.strides = strides;
  o.cast = CastPolicy::kCan;
  o.pointwise = true;
  return o;
}

}  // namespace sy
