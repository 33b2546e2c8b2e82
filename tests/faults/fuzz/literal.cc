// Arguments as they are written for the command: numbers, lists, tensors, names.
#include "tools/command/literal.h"

#include "tests/faults/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sy;
  fuzz::Bytes in(data, size);
  const std::string_view text = in.Text();
  if (text.find(".npy") != text.npos) return 0;  // files have a target of their own
  fuzz::MustKeepTheRules([&] {
    const command::CallArgument a = command::ParseArgument(text);
    if (a.value.kind == command::Literal::kList) (void)command::TensorOf(a.value);
  });
  return 0;
}
