#include "testing/replay/types.h"

#include <nlohmann/json.hpp>

#include "switchyard/core/promotion.h"
#include "testing/replay/numbers.h"
#include "third_party/fmt/format.h"

namespace sy::replay {
namespace {

std::string NameOf(std::optional<DType> d) { return d ? std::string(Name(*d)) : "an error"; }

std::string Compare(const std::string& expected, const std::string& got) {
  return expected == got ? "" : fmt::format("expected {}, got {}", expected, got);
}

// "uint8,int8"
std::pair<DType, DType> ParsePair(const std::string& key) {
  const size_t comma = key.find(',');
  return {ParseDType(key.substr(0, comma)), ParseDType(key.substr(comma + 1))};
}

// A row's operand: a dtype with so many dimensions of size 1, or "number:float".
void AddOperand(TypePromotion& types, const Json& type, const Json& dims) {
  const auto& text = type.get_ref<const std::string&>();
  if (text == "number:bool") return types.Add(Scalar(true));
  if (text == "number:int") return types.Add(Scalar(1));
  if (text == "number:float") return types.Add(Scalar(1.0));
  if (text == "number:complex") return types.Add(Scalar(std::complex<double>(1, 1)));
  const int64_t rank = AsInteger(dims);
  if (rank < 0 || rank > kMaxRank)
    throw Malformed({"expected 0 to ", kMaxRank, " dimensions, got ", rank});
  const std::vector<int64_t> sizes(static_cast<size_t>(rank), 1);
  types.Add(Tensor::Empty(sizes, ParseDType(text)));
}

std::string ResultType(const Json& row) {
  try {
    TypePromotion types;
    AddOperand(types, row.at(0), row.at(1));
    AddOperand(types, row.at(2), row.at(3));
    return std::string(Name(types.Result()));
  } catch (const Malformed&) {
    throw;
  } catch (const Error& e) {
    if (e.code() != ErrorCode::kInvalidArgument) throw;
    return "an error";
  }
}

}  // namespace

std::vector<TypeOutcome> CheckTypes(const Json& types) {
  std::vector<TypeOutcome> all;
  for (const auto& [key, expected] : types.at("promote_types").items()) {
    const auto [a, b] = ParsePair(key);
    const std::string want = expected.is_null() ? "an error" : expected.get<std::string>();
    all.push_back({"promote_types(" + key + ")", Compare(want, NameOf(TryPromoteTypes(a, b)))});
  }
  for (const auto& [key, expected] : types.at("can_cast").items()) {
    const auto [a, b] = ParsePair(key);
    const auto text = [](bool can) { return can ? "true" : "false"; };
    all.push_back(
        {"can_cast(" + key + ")", Compare(text(expected.get<bool>()), text(CanCast(a, b)))});
  }
  for (const Json& row : types.at("result_type")) {
    const std::string want = row.at(4).is_null() ? "an error" : row.at(4).get<std::string>();
    all.push_back({"result_type" + row.dump(), Compare(want, ResultType(row))});
  }
  return all;
}

}  // namespace sy::replay
