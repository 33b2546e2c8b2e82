#include "testing/replay/arguments.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "core/format/format.h"
#include "switchyard/core/transfer.h"
#include "testing/replay/elements.h"
#include "testing/replay/layouts.h"
#include "testing/replay/numbers.h"

namespace sy::replay {
namespace {

std::optional<std::string_view> Named(const Json& j, const char* key) {
  if (!Has(j, key)) return std::nullopt;
  return std::string_view(j[key].get_ref<const std::string&>());
}

Scalar FirstElement(const RecordedTensor& r) {
  return VisitDType<kAllTypes>(r.dtype, [&](auto tag) {
    typename decltype(tag)::type x;
    std::memcpy(&x, r.bytes.data(), sizeof(x));
    return Scalar(Widen(x));
  });
}

}  // namespace

std::string TensorArgument::Changed() const {
  if (!SameSizes(tensor.sizes(), recorded.sizes)) {
    return fmt::format("sizes {} became {}", IntSpan(recorded.sizes), tensor.sizes());
  }
  if (!SameSizes(tensor.strides(), recorded.strides)) {
    return fmt::format("strides {} became {}", IntSpan(recorded.strides), tensor.strides());
  }
  if (image.empty()) return "";
  const Tensor host = ToHost(tensor);
  if (std::memcmp(host.data(), image.data(), image.size()) != 0) return "contents changed";
  return "";
}

bool TensorArgument::GapsTouched() const {
  if (image.empty() || tensor.is_non_overlapping_and_dense() ||
      !SameSizes(tensor.sizes(), recorded.sizes) ||
      !SameSizes(tensor.strides(), recorded.strides)) {
    return false;
  }
  const Tensor host = ToHost(tensor);
  const char* bytes = static_cast<const char*>(host.data());
  const size_t item = host.itemsize();
  std::vector<bool> covered(image.size() / item, false);
  ForEachOffset(recorded.sizes, recorded.strides, [&](int64_t offset) { covered[offset] = true; });
  for (size_t i = 0; i < covered.size(); ++i) {
    if (!covered[i] && std::memcmp(bytes + i * item, image.data() + i * item, item) != 0)
      return true;
  }
  return false;
}

Arguments::Arguments(const OperatorEntry& op, const Json& args, const Json& kwargs, Blob blob,
                     Device device)
    : op_(op), blob_(blob), device_(device) {
  const Schema& schema = op.schema();
  const std::vector<Argument>& arguments = schema.arguments;
  values_.assign(op.defaults().begin(), op.defaults().end());
  std::vector<bool> given(arguments.size(), false);
  if (args.size() > arguments.size()) {
    Fail(ErrorCode::kInvalidArgument, op.name(),
         {"takes ", arguments.size(), " arguments, got ", args.size()});
  }
  const auto set = [&](int i, const Json& j) {
    values_[i] = Convert(arguments[i], i, j);
    given[i] = true;
  };
  for (size_t i = 0; i < args.size(); ++i) set(static_cast<int>(i), args[i]);
  for (const auto& [name, j] : kwargs.items()) {
    const int i = schema.Find(name);
    if (i < 0) Fail(ErrorCode::kInvalidArgument, op.name(), {"has no argument '", name, "'"});
    set(i, j);
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!given[i] && !arguments[i].has_default) {
      Fail(ErrorCode::kInvalidArgument, op.name(),
           {"argument '", arguments[i].name, "' is missing"});
    }
  }
  FillDevice(schema);
}

void Arguments::FillDevice(const Schema& schema) {
  if (device_.type == kHost || !tensors_.empty()) return;
  for (size_t i = 0; i < values_.size(); ++i) {
    if (schema.arguments[i].type.kind == TypeKind::kDevice) values_[i] = Value(device_);
  }
}

void Arguments::FailType(const Argument& argument, const Json& j) const {
  Fail(ErrorCode::kInvalidArgument, op_.name(),
       {"argument '", argument.name, "' must be ", argument.type.str(), ", got ", j.dump()});
}

Value Arguments::Convert(const Argument& argument, int position, const Json& j) {
  const Type& type = argument.type;
  if (j.is_null()) {
    if ((type.Tags() & Bit(Tag::kNone)) == 0) FailType(argument, j);
    return Value();
  }
  if (!type.list) return One(argument, position, j);
  if (j.is_array()) return List(argument, position, j);
  if (IsTensor(j) && (type.kind == TypeKind::kInt || type.kind == TypeKind::kSymInt))
    return Value(IntSpan(ints_.emplace_back(WholeElements(argument, j))));
  // One number stands for a list of a fixed size.
  if (type.list_size == 0 || type.kind == TypeKind::kTensor) FailType(argument, j);
  if (type.kind == TypeKind::kFloat)
    return Value(std::span<const double>(doubles_.emplace_back(type.list_size, Real(argument, j))));
  return Value(IntSpan(ints_.emplace_back(type.list_size, Whole(argument, j))));
}

Tensor Arguments::MakeTensor(int position, const Json& j) {
  TensorArgument& t =
      tensors_.emplace_back(TensorArgument{position, ParseTensor(j, blob_), Tensor(), {}});
  const Tensor host = Rebuild(t.recorded);
  t.tensor = FromHost(host, device_);
  if (BackendOf(device_.type).allocator() != nullptr && host.numel() != 0) {
    const char* bytes = static_cast<const char*>(host.data());
    t.image.assign(bytes, bytes + SpannedBytes(host));
  }
  return t.tensor;
}

Scalar Arguments::Number(const Argument& argument, const Json& j) {
  if (IsTensor(j)) {
    const RecordedTensor r = ParseTensor(j, blob_);
    if (NumElements(r.sizes) == 1) return FirstElement(r);
  }
  const std::optional<Scalar> s = AsScalar(j);
  if (!s) FailType(argument, j);
  return *s;
}

int64_t Arguments::Whole(const Argument& argument, const Json& j) {
  const Scalar s = Number(argument, j);
  if (!s.is_integral(true)) FailType(argument, j);
  return s.To<int64_t>();
}

std::vector<int64_t> Arguments::WholeElements(const Argument& argument, const Json& j) {
  const RecordedTensor r = ParseTensor(j, blob_);
  if (r.sizes.size() != 1 || r.dtype != DType::kInt64) FailType(argument, j);
  std::vector<int64_t> list(static_cast<size_t>(r.sizes[0]));
  if (!list.empty()) std::memcpy(list.data(), r.bytes.data(), list.size() * sizeof(int64_t));
  return list;
}

double Arguments::Real(const Argument& argument, const Json& j) {
  const Scalar s = Number(argument, j);
  if (s.is_complex()) FailType(argument, j);
  return s.To<double>();
}

Value Arguments::One(const Argument& argument, int position, const Json& j) {
  switch (argument.type.kind) {
    case TypeKind::kTensor:
      // A TensorArgument keeps the tensor that the value borrows.
      if (IsTensor(j)) return static_cast<void>(MakeTensor(position, j)), tensors_.back().tensor;
      if (HasLayout(j)) return numbers_.emplace_back(RebuildLayout(j, blob_));
      return numbers_.emplace_back(NumberTensor(Number(argument, j)));
    case TypeKind::kScalar:
      return Value(scalars_.emplace_back(Number(argument, j)));
    case TypeKind::kInt:
    case TypeKind::kSymInt:
      return Value(Whole(argument, j));
    case TypeKind::kFloat:
      return Value(Real(argument, j));
    case TypeKind::kBool:
      if (j.is_boolean()) return Value(j.get<bool>());
      break;
    case TypeKind::kString:
      if (j.is_string()) return Value(j.get_ref<const std::string&>());
      break;
    case TypeKind::kScalarType:
      if (auto name = Named(j, "dtype")) return Value(ParseDType(*name));
      break;
    case TypeKind::kLayout:
      if (auto l = FindLayout(Named(j, "layout").value_or(""))) return Value(*l);
      break;
    case TypeKind::kMemoryFormat:
      if (auto f = FindMemoryFormat(Named(j, "memory_format").value_or(""))) return Value(*f);
      break;
    case TypeKind::kDevice:
      // The reference ran on the host: "cpu" means the device under test.
      if (auto name = j.is_string() ? std::string_view(j.get_ref<const std::string&>())
                                    : Named(j, "device"))
        return Value(*name == "cpu" ? device_ : ParseDevice(*name));
      break;
    default:
      break;
  }
  FailType(argument, j);
}

Value Arguments::List(const Argument& argument, int position, const Json& j) {
  switch (argument.type.kind) {
    case TypeKind::kTensor: {
      std::vector<Tensor>& list = tensor_lists_.emplace_back();
      for (const Json& x : j) {
        if (!IsTensor(x) && !x.is_null() && !HasLayout(x)) FailType(argument, j);
        list.push_back(x.is_null()    ? Tensor()
                       : HasLayout(x) ? RebuildLayout(x, blob_)
                                      : MakeTensor(position, x));
      }
      return Value(list);
    }
    case TypeKind::kInt:
    case TypeKind::kSymInt: {
      std::vector<int64_t>& list = ints_.emplace_back();
      for (const Json& x : j) list.push_back(Whole(argument, x));
      return Value(list);
    }
    case TypeKind::kFloat: {
      std::vector<double>& list = doubles_.emplace_back();
      for (const Json& x : j) list.push_back(Real(argument, x));
      return Value(std::span<const double>(list));
    }
    case TypeKind::kBool: {
      auto& list = bools_.emplace_back(new bool[j.size()]);
      for (size_t i = 0; i < j.size(); ++i) {
        if (!j[i].is_boolean()) FailType(argument, j);
        list[i] = j[i].get<bool>();
      }
      return Value(std::span<const bool>(list.get(), j.size()));
    }
    case TypeKind::kScalar: {
      std::vector<Scalar>& list = scalar_lists_.emplace_back();
      for (const Json& x : j) list.push_back(Number(argument, x));
      return Value(std::span<const Scalar>(list));
    }
    default:
      FailType(argument, j);
  }
}

}  // namespace sy::replay
