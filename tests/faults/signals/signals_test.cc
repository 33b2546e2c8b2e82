// Signals a thousand times a second while operators run, as every profiler sends them: handlers
// without SA_ONSTACK, which run wherever the stack pointer is, and system calls that are
// interrupted.

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "switchyard/core/generator.h"
#include "switchyard/core/logging.h"
#include "switchyard/core/parallel.h"
#include "switchyard/ops.h"
#include "testing/replay/call.h"
#include "tests/faults/long.h"
#include "tests/faults/recorded/recorded.h"

namespace sy {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::ForEachCase;
using testing::IsLong;
using testing::RecordedCase;

std::atomic<int64_t> signals{0}, elsewhere{0};
uintptr_t main_top = 0, stack_bytes = 0;

// Whether the address lies in the stack of the thread that runs here: the main one's ends at
// main_top, that of another below what describes the thread.
bool IsOnTheStack(uintptr_t at) {
  const auto self = reinterpret_cast<uintptr_t>(pthread_self());
  return main_top - at < stack_bytes || self - at < stack_bytes;
}

// What handlers do: they use some stack, and leave errno as it was.
__attribute__((noinline)) void Handle(int) {
  const int before = errno;
  char frame[4096];
  std::memset(frame, 0x33, sizeof frame);
  asm volatile("" : : "r"(frame) : "memory");
  signals.fetch_add(1, std::memory_order_relaxed);
  if (!IsOnTheStack(reinterpret_cast<uintptr_t>(frame)))
    elsewhere.fetch_add(1, std::memory_order_relaxed);
  errno = before;
}

class SignalsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    SetLogLevel(LogLevel::kError);
    rlimit limit;
    getrlimit(RLIMIT_STACK, &limit);
    stack_bytes = limit.rlim_cur == RLIM_INFINITY ? uintptr_t{8} << 20 : limit.rlim_cur;
    main_top = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) + (64 << 10);
    signals = elsewhere = 0;
    struct sigaction action = {};
    action.sa_handler = Handle;  // no SA_RESTART either
    sigaction(SIGALRM, &action, nullptr);
    sigaction(SIGPROF, &action, nullptr);
    SetTimers({0, 1000});
    SetNumThreads(2);
  }
  void TearDown() override {
    SetTimers({0, 0});
    std::printf("%lld signals\n", static_cast<long long>(signals));
    EXPECT_GT(signals, 0);
    EXPECT_EQ(elsewhere, 0) << "handlers ran on memory that is no stack";
  }

  static void SetTimers(timeval every) {
    const itimerval timer = {every, every};
    setitimer(ITIMER_REAL, &timer, nullptr);
    setitimer(ITIMER_PROF, &timer, nullptr);
  }
};

TEST_F(SignalsTest, EveryOperatorGivesWhatItGivesWithoutThem) {
  const milliseconds each(IsLong() ? 20 : 3);
  ForEachCase(IsLong() ? 1 : 30, [&](const RecordedCase& c) {
    const auto end = steady_clock::now() + each;
    do {
      const replay::Outcome o = replay::ReplayCall(c.call, c.blob, Device{kHost}, 0);
      ASSERT_NE(o.verdict, replay::Verdict::kFailed)
          << c.place << " " << replay::DescribeCall(c.call, c.blob) << ": " << o.why;
    } while (steady_clock::now() < end);
  });
}

// f() for a while: the same bits each time.
template <class F>
void Repeat(const char* what, F f) {
  const Tensor first = f();
  const auto end = steady_clock::now() + milliseconds(IsLong() ? 5000 : 150);
  while (steady_clock::now() < end) {
    const Tensor again = contiguous(f());
    ASSERT_EQ(std::memcmp(again.data(), contiguous(first).data(), first.nbytes()), 0) << what;
  }
}

Tensor Numbers(const Ints& sizes, DType d) {
  manual_seed(3);
  const Tensor t = randn(sizes, DType::kFloat64);
  return IsComplex(d) ? to(complex(t, t), d) : to(t, d);
}

TEST_F(SignalsTest, LargeProductsStayOnTheStack) {
  constexpr DType kDTypes[] = {DType::kFloat32,   DType::kFloat64,    DType::kBFloat16,
                               DType::kComplex64, DType::kComplex128, DType::kInt32};
  for (const DType d : kDTypes) {
    const Tensor a = Numbers({400, 400}, d), b = Numbers({400, 3000}, d), v = Numbers({400}, d);
    Repeat("400 x 400", [&] { return matmul(a, a); });
    Repeat("400 x 400, transposed", [&] { return matmul(transpose(a, 0, 1), a); });
    Repeat("400 x 3000", [&] { return matmul(a, b); });
    Repeat("by a vector", [&] { return mv(a, v); });
  }
}

// A convolution's channels, their groups, the kernel's side, and its dilation: each of these sizes
// is one that oneDNN has another way for.
struct Sizes {
  int64_t in, out, groups, kernel, dilation;
};
TEST_F(SignalsTest, LargeConvolutionsStayOnTheStack) {
  for (const DType d : {DType::kFloat32, DType::kBFloat16}) {
    for (const Sizes s : {Sizes{3, 16, 1, 7, 1}, Sizes{16, 16, 1, 3, 1}, Sizes{64, 64, 1, 1, 1},
                          Sizes{5, 7, 1, 3, 3}, Sizes{32, 32, 32, 3, 1}, Sizes{6, 9, 3, 5, 1},
                          Sizes{130, 70, 1, 3, 2}}) {
      const Tensor x = Numbers({2, s.in, 40, 40}, d);
      const Tensor w = Numbers({s.out, s.in / s.groups, s.kernel, s.kernel}, d);
      Repeat("convolution", [&] {
        return convolution(x, w, Tensor(), {1, 1}, {0, 0}, {s.dilation, s.dilation}, false, {0, 0},
                           s.groups);
      });
    }
  }
}

TEST_F(SignalsTest, LargeFactorisationsAndTransformsStayOnTheStack) {
  for (const DType d : {DType::kFloat32, DType::kFloat64, DType::kComplex64, DType::kComplex128}) {
    const Tensor a = Numbers({150, 150}, d), line = Numbers({4, 30030}, d);
    const Tensor positive = add(matmul(a, conj(transpose(a, 0, 1))), eye(150, d), 150);
    Repeat("inverse", [&] { return linalg_inv(positive); });
    Repeat("cholesky", [&] { return linalg_cholesky(positive); });
    Repeat("eigenvalues", [&] { return linalg_eigvalsh(positive); });
    Repeat("singular values", [&] { return linalg_svdvals(a); });
    Repeat("fft", [&] { return fft_fft(line); });
  }
}

}  // namespace
}  // namespace sy
