#include "tests/faults/memory/attempt.h"

#include <optional>

#include "switchyard/core/error.h"
#include "switchyard/dispatcher/call.h"
#include "testing/replay/call.h"

namespace sy::testing {
Attempt CallWithoutMemory(Cases& cases, const Case& c, int64_t nth, MemoryShort::How how) {
  const std::unique_ptr<replay::Arguments> arguments = cases.Make(c);
  std::optional<Error> error;  // its copy takes no memory
  const char* other = nullptr;
  try {
    const MemoryShort memory(nth, how);
    CallByName(c.op, arguments->values());
  } catch (const Error& e) {
    error = e;
  } catch (const std::bad_alloc&) {
    other = "std::bad_alloc";
  } catch (const std::exception&) {
    other = "an exception that is no Error";
  }
  Attempt a{MemoryShort::failed()};
  if (other != nullptr) a.why = Join({"threw ", other});
  if (!error) return a;
  if (error->code() != ErrorCode::kOutOfMemory)
    a.why = Join({"threw ", Name(error->code()), ": ", error->message()});
  for (const replay::TensorArgument& t : arguments->tensors()) {
    if (const std::string changed = t.Changed(); !changed.empty())
      a.why += Join({"; argument ", t.position, ": ", changed});
  }
  return a;
}

std::string CallWithMemory(const Case& c) {
  return replay::ReplayCall(c.call, c.blob, Device{kHost}, /*seed=*/0).why;
}

}  // namespace sy::testing
