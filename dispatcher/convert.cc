// What may stand for what in a call by name: numbers for tensors, one integer for a list of a fixed
// size, texts for dtypes.

#include <algorithm>

#include "dispatcher/call_internal.h"
#include "switchyard/core/error.h"

namespace sy::internal {
namespace {

constexpr TagMask kReals = Bit(Tag::kBool) | Bit(Tag::kInt) | Bit(Tag::kUInt) | Bit(Tag::kDouble);
constexpr TagMask kNumbers = kReals | Bit(Tag::kComplex);

// How much a fitting value is preferred: an int for a float is worse than a double for it.
int CostAsGiven(const Type& type, const Value& v) {
  switch (type.kind) {
    case TypeKind::kFloat:
      return v.tag == Tag::kDouble || v.is_none() || type.list ? 0 : v.tag == Tag::kInt ? 1 : 2;
    case TypeKind::kInt:
    case TypeKind::kSymInt:
      return v.tag == Tag::kBool ? 2 : 0;
    default:
      return 0;
  }
}

// Without an error where the text is no device: another plan may have a use for it.
std::optional<Device> FindDevice(std::string_view text) {
  if (FindDeviceType(text.substr(0, text.find(':'))).row == kNoRow) return std::nullopt;
  try {
    return ParseDevice(text);
  } catch (const Error& e) {  // no index
    if (e.code() == ErrorCode::kOutOfMemory) throw;
    return std::nullopt;
  }
}

template <class T>
bool Replace(Value& v, const std::optional<T>& by) {
  if (by) v = Value(*by);
  return by.has_value();
}

}  // namespace

Conversion ConversionOf(const Type& type, const Value& v) {
  if ((type.Tags() & Bit(v.tag)) != 0) return Conversion::kAsGiven;
  const auto when = [](bool can, Conversion how) { return can ? how : Conversion::kNone; };
  const bool ints = type.list && v.tag == Tag::kIntList;
  const bool text = !type.list && v.tag == Tag::kString;
  switch (type.kind) {
    case TypeKind::kTensor:
      return when(!type.list && (Bit(v.tag) & kNumbers) != 0, Conversion::kTensor);
    case TypeKind::kInt:
    case TypeKind::kSymInt:
      return when(type.list && type.list_size != 0 && v.tag == Tag::kInt, Conversion::kRepeat);
    case TypeKind::kFloat:
      return when(ints, Conversion::kDoubles);
    case TypeKind::kBool:  // an empty list has no element type
      return when(ints && v.len == 0, Conversion::kNoBools);
    case TypeKind::kScalar:
      return when(ints && v.len == 0, Conversion::kNoScalars);
    case TypeKind::kScalarType:
      return when(text, Conversion::kDType);
    case TypeKind::kDevice:
      return when(text, Conversion::kDevice);
    case TypeKind::kLayout:
      return when(text, Conversion::kLayout);
    case TypeKind::kMemoryFormat:
      return when(text, Conversion::kMemoryFormat);
    default:
      return Conversion::kNone;
  }
}

int CostOf(Conversion how, const Type& type, const Value& v) {
  switch (how) {
    case Conversion::kAsGiven:
      return CostAsGiven(type, v);
    case Conversion::kTensor:
      return 4;
    case Conversion::kNoBools:
    case Conversion::kNoScalars:
      return 0;
    default:
      return 1;
  }
}

void* ConvertedArguments::Words(size_t n) {
  if (n > kWords - used_) {
    return more().words.emplace_back(std::make_unique_for_overwrite<int64_t[]>(n)).get();
  }
  used_ += n;
  return words_ + used_ - n;
}

Value ConvertedArguments::Row(const Value* ints, size_t n) {
  auto* list = static_cast<int64_t*>(Words(n));
  for (size_t i = 0; i < n; ++i) list[i] = ints[i].i;
  return Value(IntSpan(list, n));
}

bool ConvertedArguments::Convert(Conversion how, size_t list_size, Value& v) {
  switch (how) {
    case Conversion::kAsGiven:
      return true;
    case Conversion::kTensor: {
      Tensor& kept = tensor_.defined() ? more().tensors.emplace_back() : tensor_;
      kept = NumberTensor(v.scalar());
      v = Value(kept);
      return true;
    }
    case Conversion::kRepeat: {
      auto* list = static_cast<int64_t*>(Words(list_size));
      std::fill_n(list, list_size, v.i);
      v = Value(IntSpan(list, list_size));
      return true;
    }
    case Conversion::kDoubles: {
      const std::span<const int64_t> ints = v.list<int64_t>();
      auto* list = static_cast<double*>(Words(ints.size()));
      std::copy(ints.begin(), ints.end(), list);
      v = Value(std::span<const double>(list, ints.size()));
      return true;
    }
    case Conversion::kNoBools:
      v = Value(std::span<const bool>());
      return true;
    case Conversion::kNoScalars:
      v = Value(std::span<const Scalar>());
      return true;
    case Conversion::kDType:
      return Replace(v, FindDType(v.text()));
    case Conversion::kDevice:
      return Replace(v, FindDevice(v.text()));
    case Conversion::kLayout:
      return Replace(v, FindLayout(v.text()));
    case Conversion::kMemoryFormat:
      return Replace(v, FindMemoryFormat(v.text()));
    default:
      return false;
  }
}

}  // namespace sy::internal
