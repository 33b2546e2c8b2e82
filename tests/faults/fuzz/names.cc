// Names of devices, dtypes, layouts and formats; of operators, as they are explained.
#include "switchyard/core/device.h"
#include "switchyard/core/dtype.h"
#include "switchyard/core/memory_format.h"
#include "switchyard/dispatcher/explain.h"
#include "tests/faults/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sy;
  fuzz::Bytes in(data, size);
  const bool explains = in.Below(16) == 0;
  const std::string_view text = in.Line();
  if (explains) {
    const auto dtype = static_cast<DType>(in.Below(kNumDTypes));
    const std::string_view device = in.Line();
    fuzz::MustKeepTheRules([&] {
      for (const Explanation& e : explain(text, device, dtype)) (void)e.str();
    });
    return 0;
  }
  fuzz::MustKeepTheRules([&] {
    const Device d = ParseDevice(text);
    if (d.str() != text) fuzz::Break("'" + std::string(text) + "' is " + d.str());
  });
  fuzz::MustKeepTheRules([&] {
    const DType d = ParseDType(text);
    if (FindDType(Name(d)) != d) fuzz::Break("a dtype has two names");
  });
  (void)FindLayout(text);
  (void)FindMemoryFormat(text);
  return 0;
}
