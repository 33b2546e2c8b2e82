#include "switchyard/dispatcher/profiler.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "switchyard/dispatcher/handle.h"
#include "switchyard/op/operator.h"

namespace sy {
namespace {

const Operator leaf_op{"pf::leaf(Tensor x) -> int"};
int64_t Leaf(Call, const Tensor&) { return 1; }
const Composite leaf_body{"pf::leaf", Leaf};
constinit Handle<int64_t(const Tensor&)> leaf{"pf::leaf"};

const Operator root_op{"pf::root(Tensor x) -> int"};
int64_t Root(Call, const Tensor& x) { return leaf(x) + leaf(x); }
const Composite root_body{"pf::root", Root};
constinit Handle<int64_t(const Tensor&)> root{"pf::root"};

const Operator bad_op{"pf::bad(Tensor x) -> int"};
int64_t Bad(Call, const Tensor&) { Fail(ErrorCode::kInternal, "as asked"); }
const Composite bad_body{"pf::bad", Bad};
constinit Handle<int64_t(const Tensor&)> bad{"pf::bad"};

const Tensor x = Tensor::Empty({1}, DType::kFloat32);

TEST(ProfilerTest, CountsCallsByOperatorDeviceAndDType) {
  Profiler p;
  {
    Profiler::Scope on(p);
    root(x);
    root(Tensor::Empty({1}, DType::kInt8));
  }
  root(x);  // not recorded
  int64_t leaf_floats = 0, roots = 0;
  for (const Profiler::Entry& r : p.Entries()) {
    EXPECT_EQ(r.device, "cpu");
    EXPECT_LE(r.self_ns, r.total_ns);
    EXPECT_LE(r.min_ns, r.max_ns);
    if (r.op == "pf::leaf" && r.dtype == "float32") leaf_floats = r.calls;
    if (r.op == "pf::root") roots += r.calls;
  }
  EXPECT_EQ(leaf_floats, 2);
  EXPECT_EQ(roots, 2);
  EXPECT_EQ(p.Entries().size(), 4u);
}

TEST(ProfilerTest, SelfTimeIsWithoutTheOperatorsCalled) {
  Profiler p;
  {
    Profiler::Scope on(p);
    root(x);
  }
  const std::vector<Profiler::Event> e = p.Events();
  ASSERT_EQ(e.size(), 3u);  // leaf, leaf, root
  EXPECT_EQ(e[2].op, "pf::root");
  EXPECT_EQ(e[2].children_ns, (e[0].end_ns - e[0].begin_ns) + (e[1].end_ns - e[1].begin_ns));
}

TEST(ProfilerTest, ACallThatThrowsIsRecorded) {
  Profiler p;
  Profiler::Scope on(p);
  EXPECT_THROW(bad(x), Error);
  EXPECT_EQ(p.Events().size(), 1u);
}

TEST(ProfilerTest, TheTraceIsJsonThatChromeReads) {
  Profiler p;
  {
    Profiler::Scope on(p);
    root(x);
  }
  const nlohmann::json trace = nlohmann::json::parse(p.ChromeTrace());
  ASSERT_EQ(trace["traceEvents"].size(), 3u);
  for (const auto& e : trace["traceEvents"]) {
    EXPECT_EQ(e["ph"], "X");
    EXPECT_GE(e["dur"].get<double>(), 0);
    EXPECT_TRUE(e.contains("ts") && e.contains("pid") && e.contains("tid"));
  }
  EXPECT_NE(p.Table().find("pf::leaf"), std::string::npos);
}

TEST(ProfilerTest, SeveralThreadsMakeTheirOwnAtOnce) {
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int k = 0; k < 200; ++k) {
        Profiler p;
        const Profiler::Scope on(p);
        leaf(x);
        EXPECT_EQ(p.Events().size(), 1u);
      }
    });
  }
  for (std::thread& t : threads) t.join();
}

TEST(ProfilerTest, RecordsSeveralThreads) {
  Profiler p;
  const auto work = [&] {
    Profiler::Scope on(p);
    for (int i = 0; i < 100; ++i) leaf(x);
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
  EXPECT_EQ(p.Entries()[0].calls, 200);
}

}  // namespace
}  // namespace sy
