// Operator schemas: what is read prints as a text that reads as the same.
#include "switchyard/registry/schema.h"

#include "tests/faults/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sy;
  fuzz::Bytes in(data, size);
  const std::string_view text = in.Text();
  fuzz::MustKeepTheRules([&] {
    const Schema s = ParseSchema(text);
    const std::string printed = s.str();
    if (ParseSchema(printed).str() != printed) fuzz::Break("'" + printed + "' reads otherwise");
    (void)s.Code();
    (void)s.DirectCode();
    for (const Argument& a : s.arguments) {
      if (a.has_default) (void)DefaultValue(a, printed).value().str();
    }
  });
  return 0;
}
