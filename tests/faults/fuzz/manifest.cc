// Manifests of plugins.
#include "plugin/manifest.h"

#include <algorithm>

#include "tests/faults/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sy;
  fuzz::Bytes in(data, size);
  const std::string& path = fuzz::AsFile(in.Text());
  fuzz::MustKeepTheRules([&] {
    const PluginInfo info = plugin::ReadManifest(path);
    if (std::count(info.library.begin(), info.library.end(), '/') !=
        std::count(path.begin(), path.end(), '/'))
      fuzz::Break("a library elsewhere");
  });
  return 0;
}
