// How deep calls go, measured by painting the stack of a thread of their own: no operator needs
// more than 48 kB, so that threads of 128 kB can call them all.

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "switchyard/core/generator.h"
#include "switchyard/core/logging.h"
#include "switchyard/core/parallel.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"
#include "testing/replay/arguments.h"
#include "testing/replay/call.h"
#include "tests/faults/long.h"
#include "tests/faults/recorded/recorded.h"

namespace sy {
namespace {

using testing::ForEachCase;
using testing::IsLong;
using testing::RecordedCase;

constexpr size_t kOwn = 48 << 10;  // of an operator
constexpr size_t kLibrary =
    64 << 10;  // of one that a library computes, with what the library takes

// A thread's stack with a page below it that ends the process.
class Stack {
 public:
  explicit Stack(size_t bytes) : bytes_(bytes) {
    constexpr size_t kPage = 4096;
    memory_ = static_cast<char*>(mmap(nullptr, bytes + kPage, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    mprotect(memory_, kPage, PROT_NONE);
    base_ = memory_ + kPage;
  }
  ~Stack() { munmap(memory_, bytes_ + (base_ - memory_)); }
  Stack(const Stack&) = delete;

  // f() in a thread that has this stack.
  template <class F>
  void Run(F f) const {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, base_, bytes_);
    pthread_t thread;
    const auto run = [](void* p) -> void* {
      (*static_cast<F*>(p))();
      return nullptr;
    };
    ASSERT_EQ(pthread_create(&thread, &attributes, run, &f), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
  }

  // How far below where it starts f() writes.
  template <class F>
  size_t Depth(F f) const {
    constexpr char kPaint = 0x5c;
    const char* from = nullptr;
    Run([&] {
      from = static_cast<const char*>(__builtin_frame_address(0)) - 1024;  // this function's own
      std::memset(base_, kPaint, static_cast<size_t>(from - base_));
      f();
    });
    const char* lowest = base_;
    while (lowest < from && *lowest == kPaint) ++lowest;
    return static_cast<size_t>(from - lowest);
  }

 private:
  const size_t bytes_;
  char *memory_, *base_;
};

void CallAndForget(const OperatorEntry& op, std::span<const Value> values) {
  Results results;
  try {
    CallBoxed(op, values, results.Reset(op.num_results));
  } catch (const Error&) {  // many cases must fail, at any depth
  }
}

struct Deepest {
  size_t bytes = 0;
  std::string what;
};

TEST(StackTest, NoOperatorNeedsMoreThanItsShareOfASmallThread) {
  SetLogLevel(LogLevel::kError);
  SetNumThreads(1);
  const Stack stack(1 << 20);
  std::map<std::string, Deepest> depths;
  ForEachCase(IsLong() ? 1 : 4, [&](const RecordedCase& c) {
    try {
      const auto keywords = c.call.find("kwargs");
      const replay::Json none = replay::Json::object();
      const replay::Arguments arguments(c.op, c.call.at("args"),
                                        keywords == c.call.end() ? none : *keywords, c.blob,
                                        Device{kHost});
      manual_seed(0);
      const size_t bytes = stack.Depth([&] { CallAndForget(c.op, arguments.values()); });
      Deepest& d = depths[replay::OpOf(c.call)];
      if (bytes > d.bytes) d = {bytes, c.place + " " + replay::DescribeCall(c.call, c.blob)};
    } catch (const Error&) {  // refused before the call
    }
  });
  EXPECT_GT(depths.size(), 1000u);
  size_t most = 0, most_of_libraries = 0;
  for (const auto& [op, d] : depths) {
    const bool library = testing::IsLibraries(op);
    EXPECT_LE(d.bytes, library ? kLibrary : kOwn) << d.what;
    size_t& largest = library ? most_of_libraries : most;
    largest = std::max(largest, d.bytes);
  }
  std::printf("deepest: %zu bytes, %zu where libraries compute\n", most, most_of_libraries);
}

}  // namespace
}  // namespace sy
