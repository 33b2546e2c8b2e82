#include "testing/replay/numbers.h"

#include <limits>
#include <nlohmann/json.hpp>

namespace sy::replay {
namespace {

std::optional<double> Special(const Json& j) {
  if (!Has(j, "f")) return std::nullopt;
  const auto& text = j["f"].get_ref<const std::string&>();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return kInf;
  if (text == "-inf") return -kInf;
  return std::nullopt;
}

// A part of a complex number, which may itself be special.
double Part(const Json& j) {
  if (auto d = Special(j)) return *d;
  if (!j.is_number()) throw Malformed({"expected a number, got ", j.dump()});
  return j.get<double>();
}

constexpr int kMostLevels = 64;

}  // namespace

Json ParseObject(std::string_view text) {
  const auto shallow = [](int depth, Json::parse_event_t, Json&) {
    if (depth > kMostLevels) throw Malformed({"values nest deeper than ", kMostLevels, " levels"});
    return true;
  };
  Json j = Json::parse(text, shallow, /*allow_exceptions=*/false);
  if (!j.is_object()) throw Malformed({"not a JSON object"});
  return j;
}

bool Has(const Json& j, const char* key) { return j.is_object() && j.contains(key); }

std::optional<Scalar> AsScalar(const Json& j) {
  if (j.is_boolean()) return Scalar(j.get<bool>());
  if (j.is_number_unsigned()) return Scalar(j.get<uint64_t>());
  if (j.is_number_integer()) return Scalar(j.get<int64_t>());
  if (j.is_number_float()) return Scalar(j.get<double>());
  if (auto d = Special(j)) return Scalar(*d);
  if (Has(j, "c")) {
    const Json& parts = j["c"];
    if (!parts.is_array() || parts.size() != 2)
      throw Malformed({"a complex number must have two parts, got ", j.dump()});
    return Scalar(std::complex<double>(Part(parts[0]), Part(parts[1])));
  }
  return std::nullopt;
}

int64_t AsInteger(const Json& j) {
  const bool fits = j.is_number_integer() &&
                    (!j.is_number_unsigned() || j.get<uint64_t>() <= uint64_t{INT64_MAX});
  if (!fits) throw Malformed({"expected an integer, got ", j.dump()});
  return j.get<int64_t>();
}

}  // namespace sy::replay
