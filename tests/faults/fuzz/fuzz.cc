#include "tests/faults/fuzz/fuzz.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "switchyard/core/error.h"
#include "tests/faults/fuzz/memory.h"
#include "tests/faults/fuzz/time_limit.h"

namespace sy::fuzz {

void Break(std::string_view what) {
  std::fprintf(stderr, "broken: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

std::string MustKeepTheRules(void (*f)(void*), void* context) {
  std::string said;
  try {
    const ShortMemory memory;
    const TimeLimit time(std::chrono::seconds(10));
    f(context);
    return said;
  } catch (const Error& e) {
    said = e.message();
    if (e.code() == ErrorCode::kInternal) Break("an error of our own: " + said);
    if (e.code() == ErrorCode::kOk || said.empty()) Break("an error without words");
  } catch (const std::exception& e) {
    Break(std::string("an exception that is no sy::Error: ") + e.what());
  } catch (...) {
    Break("something was thrown that is no exception");
  }
  return said;
}

}  // namespace sy::fuzz
