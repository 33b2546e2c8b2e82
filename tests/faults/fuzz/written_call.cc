// Calls as they are written for the command: a name, and its arguments, each a line that ends with
// a byte of 0.
#include "tools/command/written_call.h"

#include "switchyard/core/parallel.h"
#include "tests/faults/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sy;
  static const bool once = (SetNumThreads(1), true);
  (void)once;
  constexpr size_t kMost = 12;  // arguments
  fuzz::Bytes in(data, size);
  const std::string op(in.Line());
  fuzz::MustKeepTheRules([&] {
    std::vector<command::CallArgument> arguments;
    while (!in.empty() && arguments.size() < kMost) {
      const std::string_view line = in.Line();
      if (line.find(".npy") != line.npos) return;
      arguments.push_back(command::ParseArgument(line));
    }
    command::WrittenCall call(std::move(arguments), Device{kHost});
    const Results results = call.Run(op);
    for (int i = 0; i < results.size(); ++i) (void)results[i].value().str();
  });
  return 0;
}
