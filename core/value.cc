#include "switchyard/core/value.h"

#include <array>

#include "switchyard/core/error.h"
#include "switchyard/core/number_text.h"

namespace sy {

std::string_view Name(Tag t) {
  static constexpr std::array<std::string_view, kNumTags> kNames = {
      "None",     "bool",   "int",    "int",     "float",        "complex",
      "str",      "Tensor", "int[]",  "float[]", "bool[]",       "Tensor[]",
      "Scalar[]", "dtype",  "Device", "Layout",  "MemoryFormat", "Generator"};
  return kNames[static_cast<size_t>(t)];
}

const Tensor& Value::UndefinedTensor() {
  static const Tensor undefined;
  return undefined;
}

std::string Value::str() const {
  switch (tag) {
    case Tag::kNone:
      return "None";
    case Tag::kBool:
    case Tag::kInt:
    case Tag::kUInt:
    case Tag::kDouble:
    case Tag::kComplex:
      return scalar().str();
    case Tag::kString:
      return "'" + std::string(text()) + "'";
    case Tag::kTensor:
      return Describe(tensor());
    case Tag::kIntList:
      return Join({list<int64_t>()});
    case Tag::kDoubleList: {
      std::string s = "[";
      for (double d : list<double>()) s += (s.size() > 1 ? ", " : "") + ShortestText(d);
      return s + "]";
    }
    case Tag::kBoolList: {
      std::string s = "[";
      for (bool b : list<bool>())
        s += (s.size() > 1 ? ", " : "") + std::string(b ? "True" : "False");
      return s + "]";
    }
    case Tag::kTensorList: {
      std::string s = "[";
      for (const Tensor& x : list<Tensor>()) s += (s.size() > 1 ? ", " : "") + Describe(x);
      return s + "]";
    }
    case Tag::kScalarList: {
      std::string s = "[";
      for (const Scalar& x : list<Scalar>()) s += (s.size() > 1 ? ", " : "") + x.str();
      return s + "]";
    }
    case Tag::kDType:
      return std::string(Name(static_cast<DType>(i)));
    case Tag::kDevice:
      return device.str();
    case Tag::kLayout:
      return std::string(Name(static_cast<Layout>(i)));
    case Tag::kMemoryFormat:
      return std::string(Name(static_cast<MemoryFormat>(i)));
    case Tag::kGenerator:
      return "Generator";
  }
  return "?";
}

void Result::Set(std::vector<Tensor> list) {
  *this = Result();
  auto* array = new Tensor[list.size()];
  for (size_t k = 0; k < list.size(); ++k) array[k] = std::move(list[k]);
  v_ = Value(TensorList(array, list.size()));
}

void Result::Set(const Scalar& s) {
  *this = Result();
  if (s.is_complex()) {
    v_ = Value(*new std::complex<double>(s.To<std::complex<double>>()));
  } else {
    v_ = Value(s);
  }
}

void Result::Set(std::string_view text) {
  *this = Result();
  auto* copy = new char[text.size()];
  text.copy(copy, text.size());
  v_ = Value(std::string_view(copy, text.size()));
}

void Result::Set(IntSpan list) {
  *this = Result();
  auto* copy = new int64_t[list.size()];
  std::copy(list.begin(), list.end(), copy);
  v_ = Value(IntSpan(copy, list.size()));
}

void Result::FreeHeap() {
  switch (v_.tag) {
    case Tag::kComplex:
      delete static_cast<const std::complex<double>*>(v_.p);
      break;
    case Tag::kString:
      delete[] static_cast<const char*>(v_.p);
      break;
    case Tag::kIntList:
      delete[] static_cast<const int64_t*>(v_.p);
      break;
    case Tag::kTensorList:
      delete[] static_cast<const Tensor*>(v_.p);
      break;
    default:
      break;
  }
}

namespace {

[[noreturn]] SY_COLD void FailHolds(const Value& v, std::string_view asked) {
  Fail(ErrorCode::kInvalidArgument, {"the result is ", v.str(), ", asked for ", asked});
}

}  // namespace

const Tensor& Result::tensor() const {
  if (v_.tag != Tag::kTensor) FailHolds(v_, "a Tensor");
  return v_.tensor();
}

Tensor Result::TakeTensor() {
  if (v_.tag == Tag::kNone) return Tensor();
  if (v_.tag != Tag::kTensor) FailHolds(v_, "a Tensor");
  return Tensor(std::exchange(v_, Value()).t);
}

std::vector<Tensor> Result::TakeTensors() {
  if (v_.tag != Tag::kTensorList) FailHolds(v_, "a list of Tensors");
  std::vector<Tensor> list;
  list.reserve(v_.len);
  auto* array = static_cast<Tensor*>(const_cast<void*>(v_.p));
  for (uint32_t k = 0; k < v_.len; ++k) list.push_back(std::move(array[k]));
  delete[] array;
  v_ = Value();
  return list;
}

Scalar Result::scalar() const {
  constexpr TagMask kNumbers =
      Bit(Tag::kBool) | Bit(Tag::kInt) | Bit(Tag::kUInt) | Bit(Tag::kDouble) | Bit(Tag::kComplex);
  if ((kNumbers & Bit(v_.tag)) == 0) FailHolds(v_, "a number");
  return v_.scalar();
}

}  // namespace sy
