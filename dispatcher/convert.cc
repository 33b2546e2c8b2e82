// What may stand for what in a call by name: numbers for tensors, one integer for a list of a fixed
// size, texts for dtypes.

#include "dispatcher/call_internal.h"

namespace sy::internal {

// Whatever a converted value points to.
struct ConvertedArguments::Storage {
  std::vector<int64_t> ints;
  std::vector<double> doubles;
  Tensor tensor;
};

ConvertedArguments::ConvertedArguments() = default;
ConvertedArguments::~ConvertedArguments() = default;

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

}  // namespace

int ConvertedArguments::Convert(const Type& type, Value& v) {
  if ((type.Tags() & Bit(v.tag)) != 0) return CostAsGiven(type, v);
  any_ = true;
  const auto storage = [&]() -> Storage& {
    return *storage_.emplace_back(std::make_unique<Storage>());
  };
  const TagMask tag = Bit(v.tag);
  switch (type.kind) {
    case TypeKind::kTensor:
      if (type.list || (tag & kNumbers) == 0) return -1;
      v = Value(storage().tensor = NumberTensor(v.scalar()));
      return 4;
    case TypeKind::kInt:
    case TypeKind::kSymInt: {
      if (!type.list || type.list_size == 0 || v.tag != Tag::kInt) return -1;
      Storage& s = storage();
      s.ints.assign(type.list_size, v.i);
      v = Value(IntSpan(s.ints));
      return 1;
    }
    case TypeKind::kFloat: {
      if (!type.list || v.tag != Tag::kIntList) return -1;
      Storage& s = storage();
      s.doubles.assign(v.list<int64_t>().begin(), v.list<int64_t>().end());
      v = Value(std::span<const double>(s.doubles));
      return 1;
    }
    case TypeKind::kBool:
    case TypeKind::kScalar:
      // An empty list has no element type.
      if (!type.list || v.tag != Tag::kIntList || v.len != 0) return -1;
      v = type.kind == TypeKind::kBool ? Value(std::span<const bool>())
                                       : Value(std::span<const Scalar>());
      return 0;
    case TypeKind::kScalarType:
      if (v.tag != Tag::kString || !FindDType(v.text())) return -1;
      v = Value(*FindDType(v.text()));
      return 1;
    case TypeKind::kDevice:
      if (v.tag != Tag::kString) return -1;
      v = Value(ParseDevice(v.text()));
      return 1;
    case TypeKind::kLayout:
      if (v.tag != Tag::kString || !FindLayout(v.text())) return -1;
      v = Value(*FindLayout(v.text()));
      return 1;
    case TypeKind::kMemoryFormat:
      if (v.tag != Tag::kString || !FindMemoryFormat(v.text())) return -1;
      v = Value(*FindMemoryFormat(v.text()));
      return 1;
    default:
      return -1;
  }
}

}  // namespace sy::internal
