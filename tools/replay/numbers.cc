#include "tools/replay/numbers.h"

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
  return j.get<double>();
}

}  // namespace

bool Has(const Json& j, const char* key) { return j.is_object() && j.contains(key); }

std::optional<Scalar> AsScalar(const Json& j) {
  if (j.is_boolean()) return Scalar(j.get<bool>());
  if (j.is_number_unsigned()) return Scalar(j.get<uint64_t>());
  if (j.is_number_integer()) return Scalar(j.get<int64_t>());
  if (j.is_number_float()) return Scalar(j.get<double>());
  if (auto d = Special(j)) return Scalar(*d);
  if (Has(j, "c")) return Scalar(std::complex<double>(Part(j["c"][0]), Part(j["c"][1])));
  return std::nullopt;
}

}  // namespace sy::replay
