// The engine "nccl" on a stand-in for the library: that each call is the right one of NCCL's, with
// the right numbers. What a GPU does is not tested here.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <barrier>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "switchyard/collective/engine_abi.h"
#include "switchyard/core/dtype.h"

namespace sy::collective {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int kRanks = 3;

// The library, with the stand-in in memory under NCCL's name.
const SyEngine& Engine() {
  static const SyEngine* const engine = [] {
    EXPECT_NE(dlopen("collective/nccl/libnccl.so.2", RTLD_NOW), nullptr) << dlerror();
    void* handle = dlopen("collective/nccl/libswitchyard_nccl.so", RTLD_NOW);
    EXPECT_NE(handle, nullptr) << dlerror();
    return reinterpret_cast<SyEngineFn>(dlsym(handle, SY_ENGINE_SYMBOL))();
  }();
  return *engine;
}

std::mutex texts_mutex;
std::map<std::string, std::string> texts;
int Set(void*, const char* key, const void* bytes, int64_t n) {
  std::lock_guard lock(texts_mutex);
  texts[key] = std::string(static_cast<const char*>(bytes), static_cast<size_t>(n));
  return 0;
}
int64_t Get(void*, const char* key, void* bytes, int64_t room) {
  while (true) {
    {
      std::lock_guard lock(texts_mutex);
      const auto it = texts.find(key);
      if (it != texts.end()) {
        it->second.copy(static_cast<char*>(bytes), static_cast<size_t>(room));
        return static_cast<int64_t>(it->second.size());
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}
int64_t Now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
void Pause() { std::this_thread::sleep_for(std::chrono::microseconds(50)); }

// f(rank, engine) on threads, each with an engine of one group.
void OnRanks(const std::function<void(int, void*)>& f) {
  static int groups = 0;
  const std::string name = "group" + std::to_string(++groups);
  std::vector<std::thread> threads;
  threads.reserve(kRanks);
  for (int r = 0; r < kRanks; ++r) {
    threads.emplace_back([&, r] {
      const int32_t ranks[kRanks] = {0, 1, 2};
      SyEngineGroup g = {};
      g.size_of_this = sizeof g;
      g.rank = r;
      g.size = kRanks;
      g.timeout_ms = 10'000;
      g.name = name.c_str();
      g.host = "";
      g.world_ranks = ranks;
      g.set = Set;
      g.get = Get;
      g.now_ms = Now;
      g.pause = Pause;
      char error[200] = "";
      void* engine = Engine().make(&g, error, sizeof error);
      ASSERT_NE(engine, nullptr) << error;
      f(r, engine);
      Engine().end(engine);
    });
  }
  for (std::thread& t : threads) t.join();
}

SyCollective CallOf(int kind, DType dtype, int64_t count, const void* in, void* out) {
  SyCollective c = {};
  c.kind = kind;
  c.dtype = static_cast<int32_t>(dtype);
  c.item_size = static_cast<int32_t>(ItemSize(dtype));
  c.count = count;
  c.in = in;
  c.out = out;
  return c;
}
void RunCall(void* engine, const SyCollective& c) {
  char error[200] = "";
  EXPECT_EQ(Engine().run(engine, &c, error, sizeof error), 0) << error;
}

TEST(Nccl, IsThere) {
  char error[200] = "";
  EXPECT_EQ(std::string(Engine().name), "nccl");
  EXPECT_EQ(Engine().available(error, sizeof error), 0) << error;
}

TEST(Nccl, Reduces) {
  OnRanks([](int rank, void* engine) {
    const auto reduced = [&](int op) {
      const float in[] = {rank + 1.F, rank + 2.F};
      float out[2];
      SyCollective c = CallOf(SY_ALL_REDUCE, DType::kFloat32, 2, in, out);
      c.op = op;
      RunCall(engine, c);
      return std::vector<float>{out[0], out[1]};
    };
    EXPECT_THAT(reduced(SY_SUM), ElementsAre(6, 9));
    EXPECT_THAT(reduced(SY_AVG), ElementsAre(2, 3));
    EXPECT_THAT(reduced(SY_PRODUCT), ElementsAre(6, 24));
    const int64_t in[] = {rank, -rank, 10 * rank};
    int64_t out[3];
    SyCollective c = CallOf(SY_ALL_REDUCE, DType::kInt64, 3, in, out);
    c.op = SY_MAX;
    RunCall(engine, c);
    EXPECT_THAT(out, ElementsAre(2, 0, 20));
    c = CallOf(SY_REDUCE_SCATTER, DType::kInt64, 1, in, out);
    c.op = SY_SUM;
    RunCall(engine, c);
    EXPECT_EQ(out[0], rank == 0 ? 3 : rank == 1 ? -3 : 30);
    // A complex number is two of its parts.
    const std::complex<float> z(rank + 1.F, 1);
    std::complex<float> sum;
    c = CallOf(SY_ALL_REDUCE, DType::kComplex64, 1, &z, &sum);
    RunCall(engine, c);
    EXPECT_EQ(sum, std::complex<float>(6, 3));
  });
}

TEST(Nccl, LeavesToOthersWhatItDoesNotReduce) {
  OnRanks([](int, void* engine) {
    int64_t memory[2] = {};
    char error[200] = "";
    const auto says = [&](DType dtype, int op) {
      SyCollective c = CallOf(SY_ALL_REDUCE, dtype, 1, memory, memory);
      c.op = op;
      return Engine().run(engine, &c, error, sizeof error);
    };
    EXPECT_EQ(says(DType::kInt16, SY_SUM), SY_NOT_DONE);
    EXPECT_EQ(says(DType::kBool, SY_SUM), SY_NOT_DONE);
    EXPECT_EQ(says(DType::kInt32, SY_BAND), SY_NOT_DONE);
    EXPECT_EQ(says(DType::kFloat32, SY_MIN), SY_NOT_DONE);  // NaNs
    EXPECT_EQ(says(DType::kComplex64, SY_PRODUCT), SY_NOT_DONE);
  });
}

TEST(Nccl, Moves) {
  OnRanks([](int rank, void* engine) {
    const int16_t mine[] = {static_cast<int16_t>(10 * rank), static_cast<int16_t>(10 * rank + 1)};
    int16_t all[6] = {};
    RunCall(engine, CallOf(SY_ALL_GATHER, DType::kInt16, 2, mine, all));
    EXPECT_THAT(all, ElementsAre(0, 1, 10, 11, 20, 21));
    int16_t two[] = {mine[0], mine[1]};
    SyCollective c = CallOf(SY_BROADCAST, DType::kInt16, 2, two, two);
    c.peer = 1;
    RunCall(engine, c);
    EXPECT_THAT(two, ElementsAre(10, 11));
    c = CallOf(SY_SCATTER, DType::kInt16, 2, all, two);
    c.peer = 2;
    RunCall(engine, c);
    EXPECT_THAT(two, ElementsAre(10 * rank, 10 * rank + 1));
    int16_t gathered[6] = {};
    c = CallOf(SY_GATHER, DType::kInt16, 2, mine, gathered);
    c.peer = 2;
    RunCall(engine, c);
    if (rank == 2) {
      EXPECT_THAT(gathered, ElementsAre(0, 1, 10, 11, 20, 21));
    }
  });
}

TEST(Nccl, ExchangesUnevenParts) {
  OnRanks([](int rank, void* engine) {
    // Rank r sends k + 1 elements 10 r + k to rank k.
    std::vector<int32_t> in;
    const int64_t sent[] = {1, 2, 3}, taken[] = {rank + 1, rank + 1, rank + 1};
    for (int k = 0; k < kRanks; ++k) in.insert(in.end(), static_cast<size_t>(k + 1), 10 * rank + k);
    std::vector<int32_t> out(3 * static_cast<size_t>(rank + 1)), expected;
    for (int k = 0; k < kRanks; ++k)
      expected.insert(expected.end(), static_cast<size_t>(rank + 1), 10 * k + rank);
    SyCollective c = CallOf(SY_ALL_TO_ALL, DType::kInt32, 0, in.data(), out.data());
    c.in_counts = sent;
    c.out_counts = taken;
    RunCall(engine, c);
    EXPECT_EQ(out, expected);
  });
}

TEST(Nccl, TellsOfErrorsOfQueuedCallsAndAfterTheEnd) {
  std::barrier polled(kRanks);
  OnRanks([&](int rank, void* engine) {
    char error[200] = "";
    EXPECT_EQ(Engine().poll(engine, error, sizeof error), 0);
    polled.arrive_and_wait();  // nobody else asks after this
    if (rank != 0) return;
    setenv("STANDIN_ASYNC_ERROR", "1", 1);
    EXPECT_NE(Engine().poll(engine, error, sizeof error), 0);
    EXPECT_THAT(error, HasSubstr("the network has failed"));
    unsetenv("STANDIN_ASYNC_ERROR");
    Engine().abort(engine, "");
    EXPECT_NE(Engine().poll(engine, error, sizeof error), 0);
    const SyCollective c = CallOf(SY_ALL_GATHER, DType::kInt8, 0, nullptr, nullptr);
    EXPECT_EQ(Engine().run(engine, &c, error, sizeof error), 1);
  });
}

}  // namespace
}  // namespace sy::collective
