#include "tests/faults/fuzz/arguments.h"

#include <limits>

#include "switchyard/core/generator.h"
#include "switchyard/core/shape.h"

namespace sy::fuzz {
namespace {

constexpr int64_t kMostElements = 4096;  // of a tensor that has memory
constexpr int64_t kSmall[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, -1, -2, -3, -4, 16, 100, 255};
constexpr int64_t kLarge[] = {127,
                              128,
                              256,
                              1000,
                              4096,
                              65536,
                              INT32_MAX,
                              INT64_C(1) << 31,
                              INT64_C(1) << 32,
                              INT64_C(1) << 40,
                              INT64_C(1) << 53,
                              INT64_C(1) << 61,
                              INT64_C(1) << 62,
                              INT64_MAX,
                              INT64_MAX - 1,
                              INT64_MIN,
                              INT64_MIN + 1,
                              INT32_MIN,
                              -(INT64_C(1) << 32),
                              -(INT64_C(1) << 62)};
constexpr int64_t kSizes[] = {0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 16, 17, 33};
constexpr int64_t kHuge[] = {INT64_C(1) << 16, INT32_MAX,        INT64_C(1) << 31, INT64_C(1) << 32,
                             INT64_C(1) << 40, INT64_C(1) << 61, INT64_C(1) << 62, INT64_MAX};
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kDoubles[] = {0,
                               1,
                               -1,
                               0.5,
                               2,
                               3,
                               -0.0,
                               1e-8,
                               1e-300,
                               1e39,
                               -1e39,
                               1e300,
                               kInf,
                               -kInf,
                               100,
                               0.999,
                               65520,
                               9.3e18,
                               std::numeric_limits<double>::quiet_NaN()};
constexpr std::string_view kTexts[] = {
    "mean",     "sum",       "none",     "prod",     "amax",    "amin",     "add",   "multiply",
    "reflect",  "replicate", "circular", "constant", "linear",  "nearest",  "lower", "higher",
    "midpoint", "trunc",     "floor",    "ij",       "xy",      "left",     "right", "fro",
    "nuc",      "backward",  "ortho",    "forward",  "reduced", "complete", "r",     "gels",
    "gelsd",    "gelss",     "gelsy",    "valid",    "same",    "tanh",     "max",   "min",
    "L",        "U",         "",         "x"};

bool Has(std::string_view name, std::string_view part) { return name.find(part) != name.npos; }

// Names of tensors whose elements say where others are, or which.
bool AreIndices(std::string_view name) {
  return Has(name, "ind") || name == "target" || Has(name, "pivots") || Has(name, "repeats") ||
         name == "lengths" || name == "offsets" || Has(name, "sorter");
}
bool AreFlags(std::string_view name) { return Has(name, "mask") || name == "condition"; }

// Numbers at which things change, for every dtype.
template <class T>
T Special(size_t which) {
  using L = std::numeric_limits<T>;
  switch (which % 8) {
    case 0:
      return L::max();
    case 1:
      return L::lowest();
    case 2:
      return L::has_infinity ? L::infinity() : T(1);
    case 3:
      return L::has_quiet_NaN ? L::quiet_NaN() : T(0);
    case 4:
      return L::denorm_min();
    case 5:
      return L::has_infinity ? T(-static_cast<double>(L::infinity())) : T(2);
    case 6:
      return T(0);
    default:
      return T(1);
  }
}

// f(element) for every element of the storage behind t, gaps included.
template <class F>
void ForEachStored(const Tensor& t, F f) {
  const size_t n = t.impl()->storage->nbytes / t.itemsize();
  VisitDType<kAllTypes>(t.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* p = static_cast<T*>(t.impl()->storage->data);
    for (size_t i = 0; i < n; ++i) f(p[i], i);
  });
}

template <class T>
void Set(T& to, const Scalar& number) {
  to = number.To<T>();
}

}  // namespace

Arguments::Arguments(const OperatorEntry& op, Bytes& in) : op_(op), in_(in), device_{kHost} {
  const std::vector<Argument>& arguments = op.schema().arguments;
  if (in_.Below(8) == 0) device_ = ParseDevice("meta");
  dtype_ = in_.Below(2) == 0 ? DType::kFloat32 : static_cast<DType>(in_.Below(kNumDTypes));
  sizes_ = NewSizes("");
  for (const Argument& a : arguments) {
    const bool left_out = a.has_default && in_.Below(2) == 0;
    default_.push_back(left_out);
    values_.push_back(left_out ? op.defaults()[values_.size()] : ValueOf(a, a.type.alias.write));
  }
}

std::vector<Value> Arguments::positional() const {
  std::vector<Value> all;
  size_t used = 0;
  for (size_t i = 0; i < values_.size(); ++i) {
    if (!op_.schema().arguments[i].kwarg_only && !default_[i]) used = i + 1;
  }
  all.assign(values_.begin(), values_.begin() + static_cast<int64_t>(used));
  return all;
}

std::vector<Keyword> Arguments::keywords() const {
  std::vector<Keyword> all;
  for (size_t i = 0; i < values_.size(); ++i) {
    const Argument& a = op_.schema().arguments[i];
    if (a.kwarg_only && !default_[i]) all.push_back({a.name, values_[i]});
  }
  return all;
}

Value Arguments::ValueOf(const Argument& a, bool written) {
  const Type& type = a.type;
  if (type.optional && in_.Below(4) == 0) return {};
  if (type.list) return ListOf(a);
  switch (type.kind) {
    case TypeKind::kTensor:
      return MakeTensor(a.name, written);
    case TypeKind::kInt:
    case TypeKind::kSymInt:
      return Int(a.name);
    case TypeKind::kFloat:
      return Double();
    case TypeKind::kBool:
      return in_.Below(2) == 0;
    case TypeKind::kString:
      return Text(a.name);
    case TypeKind::kScalar:
      return Value(scalars_.emplace_back(1, Number())[0]);
    case TypeKind::kScalarType:
      return in_.Below(2) == 0 ? dtype_ : static_cast<DType>(in_.Below(kNumDTypes));
    case TypeKind::kLayout:
      return Layout::kStrided;
    case TypeKind::kDevice:
      return device_;
    case TypeKind::kMemoryFormat:
      return static_cast<MemoryFormat>(in_.Below(5));
    case TypeKind::kGenerator:
      return in_.Below(2) == 0 ? nullptr : &DefaultGenerator();
    default:
      return {};
  }
}

Value Arguments::ListOf(const Argument& a) {
  const Type& type = a.type;
  size_t n = in_.Below(5);
  if (type.list_size != 0 && n < 3) n = static_cast<size_t>(type.list_size);
  switch (type.kind) {
    case TypeKind::kTensor: {
      std::vector<Tensor>& list = tensors_.emplace_back();
      for (size_t i = 0; i < n; ++i) {
        const bool none = type.element_optional && in_.Below(3) == 0;
        list.push_back(none ? Tensor() : MakeTensor(a.name, a.type.alias.write));
      }
      return Value(list);
    }
    case TypeKind::kInt:
    case TypeKind::kSymInt: {
      std::vector<int64_t>& list = ints_.emplace_back();
      if (Has(a.name, "size") && in_.Below(2) == 0) {
        list = NewSizes("");
      } else {
        for (size_t i = 0; i < n; ++i) list.push_back(Int(a.name));
      }
      return Value(list);
    }
    case TypeKind::kFloat: {
      std::vector<double>& list = doubles_.emplace_back();
      for (size_t i = 0; i < n; ++i) list.push_back(Double());
      return Value(std::span<const double>(list));
    }
    case TypeKind::kBool: {
      auto& list = bools_.emplace_back(new bool[n]);
      for (size_t i = 0; i < n; ++i) list[i] = in_.Below(2) == 0;
      return Value(std::span<const bool>(list.get(), n));
    }
    case TypeKind::kScalar: {
      std::vector<Scalar>& list = scalars_.emplace_back();
      for (size_t i = 0; i < n; ++i) list.push_back(Number());
      return Value(std::span<const Scalar>(list));
    }
    default:
      return {};
  }
}

// --- Tensors

const Tensor& Arguments::MakeTensor(std::string_view name, bool written) {
  const size_t how = in_.Below(16);
  if (made_.empty() || how > 4) return Note(NewTensor(name), written);
  const Tensor& other = made_[in_.Below(made_.size())].tensor;
  if (how == 0) return Note(other, written);
  // Another view of the same memory.
  std::vector<int64_t> sizes, strides;
  for (size_t i = 0, rank = in_.Below(4); i < rank; ++i) {
    sizes.push_back(in_.Pick(kSizes));
    strides.push_back(static_cast<int64_t>(in_.Below(4)));
  }
  const auto offset = static_cast<int64_t>(in_.Below(4));
  try {
    return Note(other.AsStrided(sizes, strides, offset), written);
  } catch (const Error&) {  // reaches beyond it
    return Note(other, written);
  }
}

const Tensor& Arguments::Note(Tensor t, bool written) {
  Made m{t, written, {}, t.storage_offset(), t.impl()->storage, {}};
  m.dims.assign(t.impl()->dims, t.impl()->dims + 2 * t.dim());
  if (m.storage->data != nullptr)
    m.bytes.assign(static_cast<const char*>(m.storage->data), m.storage->nbytes);
  // What is written into one is seen in the others.
  for (Made& other : made_) {
    if (other.storage != m.storage) continue;
    other.written |= written;
    m.written |= other.written;
  }
  return made_.emplace_back(std::move(m)).tensor;
}

std::vector<int64_t> Arguments::NewSizes(std::string_view) {
  std::vector<int64_t> sizes;
  const bool meta = device_.type != kHost;
  int64_t numel = 1;
  bool empty = false;
  for (size_t i = 0, rank = in_.Below(6); i < rank; ++i) {
    const bool huge = (meta || empty) && in_.Below(4) == 0;
    int64_t n = huge ? in_.Pick(kHuge) : in_.Pick(kSizes);
    if (!meta && !empty && n != 0 && numel > kMostElements / n) n = 1;
    empty |= n == 0;
    if (!empty && !meta) numel *= n;
    sizes.push_back(n);
  }
  if (in_.Below(4) == 0) std::reverse(sizes.begin(), sizes.end());
  return sizes;
}

Tensor Arguments::NewTensor(std::string_view name) {
  DType dtype = dtype_;
  const bool positions = AreIndices(name), flags = AreFlags(name);
  const size_t other = in_.Below(8);
  if (other == 0) {
    dtype = static_cast<DType>(in_.Below(kNumDTypes));
  } else if (positions) {
    dtype = other == 1 ? DType::kInt32 : DType::kInt64;
  } else if (flags) {
    dtype = DType::kBool;
  }
  std::vector<int64_t> sizes = sizes_;
  switch (in_.Below(6)) {
    case 0:
      sizes = NewSizes(name);
      break;
    case 1:  // broadcasts
      if (!sizes.empty()) sizes[in_.Below(sizes.size())] = 1;
      break;
    case 2:
      if (!sizes.empty()) sizes.erase(sizes.begin());
      break;
    case 3:
      if (sizes.size() > 1) std::swap(sizes[sizes.size() - 1], sizes[sizes.size() - 2]);
      break;
    default:
      break;
  }
  Tensor t;
  try {
    t = Laid(sizes, dtype);
  } catch (const Error&) {  // too many elements, on meta
    t = Tensor::Empty({2, 3}, dtype, device_);
  }
  if (device_.type != kHost) return t;
  constexpr size_t kMostBytes = size_t{1} << 16;  // to fill more takes longer than the call
  if (t.impl()->storage->nbytes > kMostBytes) t = Tensor::Empty({2, 3}, dtype, device_);
  Fill(t, positions);
  return t;
}

Tensor Arguments::Laid(const std::vector<int64_t>& sizes, DType dtype) {
  const size_t rank = sizes.size();
  std::vector<int64_t> strides(rank);
  ContiguousStrides(sizes, strides.data());
  switch (in_.Below(10)) {
    case 0: {  // transposed
      std::vector<int64_t> turned(sizes.rbegin(), sizes.rend());
      ContiguousStrides(turned, strides.data());
      std::reverse(strides.begin(), strides.end());
      break;
    }
    case 1:  // gaps
      for (int64_t& s : strides) {
        if (__builtin_mul_overflow(s, 2, &s)) s = 1;
      }
      break;
    case 2:  // expanded
      if (rank != 0) strides[in_.Below(rank)] = 0;
      break;
    case 3:  // places shared
      for (int64_t& s : strides) s = static_cast<int64_t>(in_.Below(4));
      break;
    case 4:
      if (rank == 4) FormatStrides(sizes, MemoryFormat::kChannelsLast, strides.data());
      if (rank == 5) FormatStrides(sizes, MemoryFormat::kChannelsLast3d, strides.data());
      break;
    case 5: {  // in the middle of its storage
      const int64_t extent = StorageExtent(sizes, strides);
      if (extent > kMostElements) break;
      const int64_t offset = static_cast<int64_t>(in_.Below(5));
      const Tensor base = Tensor::Empty({extent + offset + 3}, dtype, device_);
      return base.AsStrided(sizes, strides, offset);
    }
    case 6: {  // strides of what has no element, or one, may be any
      for (size_t i = 0; i < rank; ++i) {
        if (sizes[i] < 2) strides[i] = in_.Pick(kHuge);
      }
      break;
    }
    default:
      return Tensor::Empty(sizes, dtype, device_);
  }
  return Tensor::EmptyStrided(sizes, strides, dtype, device_);
}

void Arguments::Fill(const Tensor& t, bool positions) {
  const size_t how = in_.Below(positions ? 2 : 6);
  const size_t step = in_.Below(7) + 1, modulus = in_.Below(9) + 1;
  ForEachStored(t, [&](auto& x, size_t i) {
    using T = std::remove_reference_t<decltype(x)>;
    const auto small = static_cast<int64_t>((i * step) % modulus);
    if (how <= 2) {
      Set(x, Scalar(how == 1 && !positions ? small - 3 : small));
    } else if (how == 3) {
      Set(x, Scalar(static_cast<double>(small) / 4));
    } else if constexpr (std::is_same_v<T, bool>) {
      x = in_.Take() % 2 != 0;
    } else if constexpr (DTypeOf<T> == DType::kComplex32) {
      x = T(std::complex<float>(static_cast<float>(small), 1));
    } else if constexpr (IsComplex(DTypeOf<T>)) {
      using R = typename T::value_type;
      x = T(Special<R>(i * step), Special<R>(i / 2));
    } else if (how == 4) {
      x = Special<T>(i * step);
    } else {
      x = in_.Take<T>();
    }
  });
}

// --- Numbers and texts

int64_t Arguments::Int(std::string_view name) {
  const size_t how = in_.Below(16);
  if (Has(name, "dim") && how < 14) return static_cast<int64_t>(in_.Below(9)) - 4;
  if (how < 12) return in_.Pick(kSmall);
  return how < 15 ? in_.Pick(kLarge) : in_.Take<int64_t>();
}

double Arguments::Double() { return in_.Below(8) == 0 ? in_.Take<double>() : in_.Pick(kDoubles); }

Scalar Arguments::Number() {
  switch (in_.Below(8)) {
    case 0:
      return in_.Below(2) == 0;
    case 1:
      return Double();
    case 2: {
      const double re = Double(), im = Double();
      return std::complex<double>(re, im);
    }
    case 3:
      return in_.Take<uint64_t>();
    case 4:
      return Int("");
    case 5:
      return 0.5;
    default:
      return static_cast<int64_t>(in_.Below(8)) - 2;
  }
}

std::string_view Arguments::Text(std::string_view) {
  if (in_.Below(16) != 0) return in_.Pick(kTexts);
  return texts_.emplace_back(in_.Line());
}

// --- What must not change

std::string Arguments::Difference(const Made& m) {
  const TensorImpl* t = m.tensor.impl();
  if (!std::equal(m.dims.begin(), m.dims.end(), t->dims, t->dims + 2 * t->ndim))
    return "sizes or strides";
  if (t->offset != m.offset || t->storage != m.storage) return "the place";
  if (m.storage->data == nullptr ? !m.bytes.empty() : m.storage->nbytes != m.bytes.size())
    return "the storage's size";
  if (!m.bytes.empty() && std::memcmp(m.storage->data, m.bytes.data(), m.bytes.size()) != 0)
    return "contents";
  return "";
}

void Arguments::MustBeAsBefore() const {
  for (const Made& m : made_) {
    if (const std::string what = Difference(m); !what.empty())
      Break(Join({op_.name(), "() failed and has changed ", what, " of ", Describe(m.tensor)}));
  }
}

void Arguments::OthersMustBeAsBefore() const {
  for (const Made& m : made_) {
    if (m.written) continue;
    if (const std::string what = Difference(m); !what.empty())
      Break(Join({op_.name(), "() has changed ", what, " of an input, ", Describe(m.tensor)}));
  }
}

}  // namespace sy::fuzz
