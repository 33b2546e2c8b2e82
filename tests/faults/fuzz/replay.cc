// Reference cases: JSON of a call, up to a byte of 0, and the tensors' bytes. On meta, where calls
// cost nothing; types by their first letter.
#include <nlohmann/json.hpp>

#include "switchyard/core/device.h"
#include "testing/replay/call.h"
#include "testing/replay/numbers.h"
#include "testing/replay/types.h"
#include "tests/faults/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sy;
  fuzz::Bytes in(data, size);
  const std::string_view line = in.Line(), bytes = in.Text();
  const replay::Blob blob(bytes.data(), bytes.size());
  fuzz::MustKeepTheRules([&] {
    try {
      const replay::Json j = replay::ParseObject(line);
      if (j.contains("t"))
        (void)replay::Rebuild(replay::ParseTensor(replay::Json{{"t", j["t"]}}, blob));
      if (j.contains("promote_types")) (void)replay::CheckTypes(j);
      if (!j.contains("op")) return;
      (void)replay::ReplayCall(j, blob, ParseDevice("meta"), std::nullopt);
      (void)replay::DescribeCall(j, blob);
    } catch (const replay::Json::exception&) {  // the folder's reader names file and line
    }
  });
  return 0;
}
