#include "switchyard/core/number_text.h"

#include <charconv>
#include <cmath>

namespace sy {
namespace {

// Room for the sign, the 309 digits before the point of the largest double, and those after it.
constexpr size_t kMaxDigits = 320;

template <class... Precision>
std::string Text(double d, std::chars_format format, Precision... precision) {
  if (std::isnan(d)) return "nan";
  std::string s(kMaxDigits + (static_cast<size_t>(precision) + ... + 32), '\0');
  const auto end = std::to_chars(s.data(), s.data() + s.size(), d, format, precision...);
  s.resize(static_cast<size_t>(end.ptr - s.data()));
  return s;
}

}  // namespace

std::string ShortestText(double d) {
  const double size = std::abs(d);
  const bool fixed = size == 0 || (size >= 1e-4 && size < 1e16);
  return Text(d, fixed ? std::chars_format::fixed : std::chars_format::scientific);
}

std::string FixedText(double d, int digits) { return Text(d, std::chars_format::fixed, digits); }
std::string ScientificText(double d, int digits) {
  return Text(d, std::chars_format::scientific, digits);
}

}  // namespace sy
