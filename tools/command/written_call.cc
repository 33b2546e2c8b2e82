#include "tools/command/written_call.h"

#include <algorithm>
#include <exception>

#include "switchyard/core/error.h"
#include "switchyard/core/transfer.h"

namespace sy::command {
namespace {

bool All(const std::vector<Literal>& list, bool (*test)(const Literal&)) {
  return std::all_of(list.begin(), list.end(), test);
}
bool IsList(const Literal& l) { return l.kind == Literal::kList; }
bool IsTensorOrList(const Literal& l) { return l.kind == Literal::kTensor || IsList(l); }
bool IsBool(const Literal& l) {
  return l.kind == Literal::kNumber && l.number.kind() == Scalar::kBool;
}
bool IsInt(const Literal& l) {
  return l.kind == Literal::kNumber && l.number.is_integral(/*include_bool=*/false);
}
bool IsReal(const Literal& l) { return l.kind == Literal::kNumber && !l.number.is_complex(); }

// Overloads that the name may mean.
std::vector<OperatorEntry*> Candidates(std::string_view op) {
  Registry& registry = Registry::Global();
  if (op.starts_with("aten::")) op.remove_prefix(6);
  if (op.find('.') != op.npos) {
    OperatorEntry* entry = registry.Find(op);
    return entry == nullptr ? std::vector<OperatorEntry*>() : std::vector{entry};
  }
  OverloadPacket* packet = registry.FindPacket(op);
  return packet == nullptr ? std::vector<OperatorEntry*>() : registry.Overloads(*packet);
}

Literal OfResult(Result& r) {
  Literal l;
  switch (r.value().tag) {
    case Tag::kNone:
      break;
    case Tag::kTensor:
      l.kind = Literal::kTensor;
      l.tensor = r.TakeTensor();
      break;
    case Tag::kTensorList:
      l.kind = Literal::kList;
      for (Tensor& t : r.TakeTensors()) {
        Literal& x = l.list.emplace_back();
        x.kind = Literal::kTensor;
        x.tensor = std::move(t);
      }
      break;
    default:
      l.kind = Literal::kNumber;
      l.number = r.scalar();
      break;
  }
  return l;
}

}  // namespace

void Evaluate(Literal& literal, Device device) {
  for (Literal& l : literal.list) Evaluate(l, device);
  for (CallArgument& a : literal.arguments) Evaluate(a.value, device);
  if (literal.kind != Literal::kCall) return;
  const std::string op = literal.text;
  Results results = WrittenCall(std::move(literal.arguments), device).Run(op);
  Literal made;
  made.kind = Literal::kList;
  for (int i = 0; i < results.size(); ++i) made.list.push_back(OfResult(results[i]));
  literal = made.list.size() == 1 ? Literal(made.list[0]) : made;
}

WrittenCall::WrittenCall(std::vector<CallArgument> arguments, Device device)
    : arguments_(std::move(arguments)), device_(device) {}

Results WrittenCall::Run(const std::string& op) {
  // The first reading of the lists that any overload takes; which overload that is, is found as for
  // every call by name.
  std::exception_ptr first_refusal;
  for (const OperatorEntry* entry : Candidates(op)) {
    Box(&entry->schema());
    try {
      FindOverload(op, values_, keywords_);
    } catch (const Error&) {
      if (first_refusal == nullptr) first_refusal = std::current_exception();
      continue;
    }
    return CallByName(op, values_, keywords_);
  }
  if (first_refusal != nullptr) std::rethrow_exception(first_refusal);
  Box(nullptr);
  return CallByName(op, values_, keywords_);  // names the operator that does not exist
}

void WrittenCall::Box(const Schema* schema) {
  values_.clear();
  keywords_.clear();
  const auto type_at = [&](int i) -> const Type* {
    if (schema == nullptr || i < 0 || i >= static_cast<int>(schema->arguments.size()))
      return nullptr;
    return &schema->arguments[i].type;
  };
  for (const CallArgument& a : arguments_) {
    if (a.keyword.empty()) {
      values_.push_back(ToValue(a.value, type_at(static_cast<int>(values_.size()))));
    } else {
      const int at = schema == nullptr ? -1 : schema->Find(a.keyword);
      keywords_.push_back({a.keyword, ToValue(a.value, type_at(at))});
    }
  }
}

Tensor WrittenCall::ToDevice(const Tensor& t) const {
  return t.is_host() ? FromHost(t, device_) : t;
}

Value WrittenCall::Keep(Tensor t) { return tensors_.emplace_back(ToDevice(t)); }

Value WrittenCall::ToValue(const Literal& l, const Type* type) {
  switch (l.kind) {
    case Literal::kNone:
      return {};
    case Literal::kNumber:
      return Value(scalars_.emplace_back(1, l.number)[0]);  // a complex number is pointed at
    case Literal::kText:
      return Value(l.text);
    case Literal::kTensor:
      return Keep(l.tensor);
    case Literal::kCall:
      Fail(ErrorCode::kInvalidArgument, {"the call of '", l.text, "' has not been made"});
    case Literal::kList:
      break;
  }
  if (type != nullptr && type->is_tensor()) return Keep(TensorOf(l));
  if (type != nullptr && type->is_tensor_list() && All(l.list, IsTensorOrList)) {
    std::vector<Tensor>& list = tensor_lists_.emplace_back();
    for (const Literal& x : l.list) list.push_back(ToDevice(IsList(x) ? TensorOf(x) : x.tensor));
    return Value(list);
  }
  return ListToValue(l.list);
}

Value WrittenCall::ListToValue(const std::vector<Literal>& list) {
  if (All(list, IsInt)) {
    std::vector<int64_t>& ints = ints_.emplace_back();
    for (const Literal& x : list) ints.push_back(x.number.To<int64_t>());
    return Value(ints);
  }
  if (All(list, IsBool)) {
    auto& bools = bools_.emplace_back(new bool[list.size()]);
    for (size_t i = 0; i < list.size(); ++i) bools[i] = list[i].number.To<bool>();
    return Value(std::span<const bool>(bools.get(), list.size()));
  }
  if (All(list, IsReal)) {
    std::vector<double>& doubles = doubles_.emplace_back();
    for (const Literal& x : list) doubles.push_back(x.number.To<double>());
    return Value(std::span<const double>(doubles));
  }
  Literal l;
  l.kind = Literal::kList;
  l.list = list;
  return Keep(TensorOf(l));  // nested, or complex
}

}  // namespace sy::command
