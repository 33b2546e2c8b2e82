// Numbers as text, and as other types.
#include <charconv>
#include <cmath>

#include "switchyard/core/number_text.h"
#include "switchyard/core/scalar.h"
#include "tests/faults/fuzz/fuzz.h"

namespace {

using namespace sy;

void ReadsBack(double d, const std::string& text) {
  double read = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
  if (error != std::errc() || end != text.data() + text.size() ||
      (read != d && !(std::isnan(read) && std::isnan(d)))) {
    fuzz::Break("'" + text + "' reads otherwise");
  }
}

Scalar NumberOf(fuzz::Bytes& in) {
  switch (in.Below(5)) {
    case 0:
      return in.Take() % 2 != 0;
    case 1:
      return in.Take<int64_t>();
    case 2:
      return in.Take<uint64_t>();
    case 3:
      return in.Take<double>();
    default: {
      const auto re = in.Take<double>(), im = in.Take<double>();
      return std::complex<double>(re, im);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Bytes in(data, size);
  const Scalar s = NumberOf(in);
  const int digits = static_cast<int>(in.Below(64));
  fuzz::MustKeepTheRules([&] {
    (void)s.str();
    const auto d = s.To<double>();
    ReadsBack(d, ShortestText(d));
    (void)FixedText(d, digits);
    (void)ScientificText(d, digits);
  });
  VisitDType<kAllTypes>(static_cast<DType>(in.Below(kNumDTypes)), [&](auto tag) {
    using T = typename decltype(tag)::type;
    (void)s.To<T>();
    const std::string refusal = fuzz::MustKeepTheRules([&] { (void)s.CheckedTo<T>(); });
    if (refusal.empty() != s.Fits(DTypeOf<T>)) fuzz::Break("fits, or does not");
  });
  return 0;
}
