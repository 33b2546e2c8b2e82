#include "switchyard/dispatcher/layers.h"

#include <gtest/gtest.h>

#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/handle.h"
#include "switchyard/op/operator.h"

namespace sy {
namespace {

std::string log_text;

const Operator f_op{"layers::f(Tensor x, int k) -> int"};
int64_t F(Call, const Tensor&, int64_t k) {
  log_text += "f" + std::to_string(k) + " ";
  return k;
}
const Composite f_body{"layers::f", F};

const Operator g_op{"layers::g(Tensor x) -> int"};
constinit Handle<int64_t(const Tensor&, int64_t)> f{"layers::f"};
constinit Handle<int64_t(const Tensor&)> g{"layers::g"};
int64_t G(Call, const Tensor& x) { return f(x, 1) + f(x, 2); }
const Composite g_body{"layers::g", G};

const Operator bad_op{"layers::bad(Tensor x) -> int"};
constinit Handle<int64_t(const Tensor&)> bad{"layers::bad"};
int64_t Bad(Call, const Tensor&) { Fail(ErrorCode::kInternal, "as asked"); }
const Composite bad_body{"layers::bad", Bad};

class Logger : public Layer {
 public:
  Logger(std::string name, int order) : name_(std::move(name)) {
    id = RegisterLayer(name_, order, this);
  }
  ~Logger() override { UnregisterLayer(id); }
  void OnCall(LayerCall& call) override {
    log_text += name_ + "< ";
    if (calls_others) f(call.args[0].tensor(), 9);
    call.Redispatch();
    log_text += name_ + "> ";
  }
  LayerId id;
  bool calls_others = false;

 private:
  std::string name_;
};

class LayersTest : public ::testing::Test {
 protected:
  void SetUp() override { log_text.clear(); }
  Tensor x = Tensor::Empty({1}, DType::kFloat32);
};

TEST_F(LayersTest, AnIdThatNoLayerHasIsAnError) {
  const OperatorEntry& op = f.entry();
  for (LayerId id : {-1, 25, 31, 32}) {
    EXPECT_THROW(UnregisterLayer(id), Error) << id;
    EXPECT_THROW(FallThrough(id, op), Error) << id;
  }
  EXPECT_THROW(UnregisterLayer(kSparseLayer), Error);  // the runtime's
}

TEST_F(LayersTest, ALayerSeesCallsOnlyWhileItIsOn) {
  Logger a("a", 1);
  f(x, 5);
  EXPECT_EQ(log_text, "f5 ");
  {
    LayerScope on(a.id);
    EXPECT_EQ(f(x, 6), 6);
  }
  f(x, 7);
  EXPECT_EQ(log_text, "f5 a< f6 a> f7 ");
}

TEST_F(LayersTest, TheOrderIsThatOfTheNumbersWhateverTheOrderOfRegistering) {
  Logger b("b", 2), c("c", 3), a("a", 1);
  LayerScope on_c(c.id), on_a(a.id), on_b(b.id);
  f(x, 1);
  EXPECT_EQ(log_text, "a< b< c< f1 c> b> a> ");
}

TEST_F(LayersTest, OperatorsUnderneathPassAllLayersAgain) {
  Logger a("a", 1), b("b", 2);
  LayerScope on_a(a.id), on_b(b.id);
  EXPECT_EQ(g(x), 3);
  EXPECT_EQ(log_text, "a< b< a< b< f1 b> a> a< b< f2 b> a> b> a> ");
}

TEST_F(LayersTest, ALayerDoesNotSeeWhatItCallsItself) {
  Logger a("a", 1), b("b", 2);
  b.calls_others = true;
  LayerScope on_a(a.id), on_b(b.id);
  f(x, 1);
  EXPECT_EQ(log_text, "a< b< a< f9 a> f1 b> a> ");
}

TEST_F(LayersTest, AnExclusionWinsOverEverythingThatSwitchesOn) {
  Logger a("a", 1), b("b", 2);
  LayerScope on_a(a.id), on_b(b.id);
  LayerExclusion off(a.id);
  f(x, 1);
  EXPECT_EQ(log_text, "b< f1 b> ");
}

TEST_F(LayersTest, ATensorSwitchesALayerOnForItsCalls) {
  Logger a("a", 1);
  AttachLayer(a.id, x);
  EXPECT_TRUE(HasLayer(a.id, x));
  f(x, 1);
  call("layers::f", x, 2);
  const Tensor plain = Tensor::Empty({1}, DType::kFloat32);
  f(plain, 3);
  EXPECT_EQ(log_text, "a< f1 a> a< f2 a> f3 ");
  DetachLayer(a.id, x);
  EXPECT_FALSE(HasLayer(a.id, x));
  f(x, 4);
  EXPECT_EQ(log_text, "a< f1 a> a< f2 a> f3 f4 ");
}

TEST_F(LayersTest, OnlyARegisteredLayerIsAttachedAndOnlyToATensor) {
  EXPECT_THROW(AttachLayer(-1, x), Error);
  EXPECT_THROW(AttachLayer(30, x), Error);
  Logger a("a", 1);
  EXPECT_THROW(AttachLayer(a.id, Tensor()), Error);
  EXPECT_FALSE(HasLayer(a.id, Tensor()));
}

TEST_F(LayersTest, FallingThroughSkipsTheLayerForOneOperator) {
  Logger a("a", 1);
  FallThrough(a.id, f.entry());
  LayerScope on(a.id);
  g(x);
  EXPECT_EQ(log_text, "a< f1 f2 a> ");
}

TEST_F(LayersTest, TypedBoxedAndNamedCallsPassTheSameLayers) {
  Logger a("a", 1);
  LayerScope on(a.id);
  g(x);
  const std::string typed = std::exchange(log_text, "");
  call("layers::g", x);
  EXPECT_EQ(log_text, typed);
}

TEST_F(LayersTest, AnErrorLeavesLayersAsTheyWere) {
  Logger a("a", 1);
  LayerScope on(a.id);
  EXPECT_THROW(bad(x), Error);
  log_text.clear();
  f(x, 1);
  EXPECT_EQ(log_text, "a< f1 a> ");
}

TEST_F(LayersTest, ALayerMayChangeArgumentsRepeatAndReplace) {
  class Twice : public Layer {
   public:
    void OnCall(LayerCall& call) override {
      if (call.args[1].i == 0) return call.results[0].Set(int64_t{100});
      std::vector<Value> args(call.args.begin(), call.args.end());
      call.Redispatch(args);
      args[1] = Value(args[1].i + 1);
      call.Redispatch(args);
    }
  } twice;
  const LayerId id = RegisterLayer("twice", 1, &twice);
  {
    LayerScope on(id);
    EXPECT_EQ(f(x, 3), 4);
    EXPECT_EQ(f(x, 0), 100);
  }
  UnregisterLayer(id);
  EXPECT_EQ(log_text, "f3 f4 ");
}

TEST_F(LayersTest, ANameCanBeTakenOnce) {
  Logger a("a", 1);
  EXPECT_THROW(RegisterLayer("a", 2, &a), Error);
  EXPECT_EQ(FindLayer("a"), a.id);
  EXPECT_EQ(FindLayer("b"), -1);
}

// --- Recorders.

const Operator new_op{"layers::new(Tensor x) -> Tensor"};
constinit Handle<Tensor(const Tensor&)> new_one{"layers::new"};
Tensor New(Call, const Tensor& x) {
  log_text += thread_state.layers_excluded == 0 ? "new " : "excluded ";
  return Tensor::Empty(x.sizes(), x.dtype());
}
const Composite new_body{"layers::new", New};

const Operator pair_op{"layers::pair(Tensor x) -> (Tensor, Tensor)"};
constinit Handle<std::tuple<Tensor, Tensor>(const Tensor&)> pair{"layers::pair"};
std::tuple<Tensor, Tensor> Pair(Call, const Tensor& x) { return {x, Tensor()}; }
const Composite pair_body{"layers::pair", Pair};

const Operator parts_op{"layers::parts(Tensor x) -> Tensor[]"};
constinit Handle<std::vector<Tensor>(const Tensor&)> parts{"layers::parts"};
std::vector<Tensor> Parts(Call, const Tensor& x) { return {x, x, x}; }
const Composite parts_body{"layers::parts", Parts};

const Operator write_op{"layers::write_(Tensor(a!) x, int k) -> Tensor(a!)"};
constinit Handle<void(const Tensor&, int64_t)> write_one{"layers::write_"};
void Write(Call, const Tensor&, int64_t k) {
  if (k < 0) Fail(ErrorCode::kInternal, "as asked");
}
const Composite write_body{"layers::write_", Write};

// Stands in for gradients.
class Watcher : public Layer, public internal::Recorder {
 public:
  Watcher() {
    internal::RegisterLayerAt(kGradLayer, "watcher", 500, this);
    internal::recorder.store(this);
  }
  ~Watcher() override {
    internal::recorder.store(nullptr);
    UnregisterLayer(kGradLayer);
  }
  void OnCall(LayerCall& call) override {
    log_text += "boxed ";
    call.Redispatch();
  }
  void* Begin(const OperatorEntry& op, std::span<const Value> args) override {
    if (passes) return nullptr;
    if (refuses) Fail(ErrorCode::kInternal, "refused");
    log_text += Join({"begin ", op.name().substr(8), " ", args.size(), " "});
    thread_state.layers_excluded |= uint32_t{1} << kGradLayer;
    return &begun;
  }
  void End(void* what, const OperatorEntry&, std::span<const Value>,
           std::span<const Value> results) override {
    EXPECT_EQ(what, &begun);
    EXPECT_EQ(thread_state.layers_excluded, 0U);
    log_text += "end";
    for (const Value& v : results) {
      log_text += v.tag == Tag::kTensorList ? Join({" list of ", int64_t{v.len}})
                  : v.is_none()             ? " none"
                                            : " tensor";
    }
    log_text += " ";
    if (throws_late) Fail(ErrorCode::kInternal, "late");
  }
  void Failed(void* what) noexcept override {
    EXPECT_EQ(what, &begun);
    log_text += "failed ";
  }
  bool passes = false, refuses = false, throws_late = false;
  int begun = 0;
};

TEST_F(LayersTest, ARecorderSeesBothSidesOfACallThatItAloneIntercepts) {
  Watcher w;
  AttachLayer(kGradLayer, x);
  EXPECT_TRUE(new_one(x).defined());
  EXPECT_EQ(log_text, "begin new 1 excluded end tensor ");
  log_text.clear();
  EXPECT_TRUE(std::get<0>(pair(x)).is_same(x));
  EXPECT_EQ(log_text, "begin pair 1 end tensor none ");
  log_text.clear();
  EXPECT_EQ(parts(x).size(), 3U);
  EXPECT_EQ(log_text, "begin parts 1 end list of 3 ");
  log_text.clear();
  write_one(x, 1);
  EXPECT_EQ(log_text, "begin write_ 2 end ");
  log_text.clear();
  f(x, 4);  // no tensor comes of it
  EXPECT_EQ(log_text, "boxed f4 ");
}

TEST_F(LayersTest, WhatARecorderDoesNotTakeGoesThroughTheLayer) {
  Watcher w;
  AttachLayer(kGradLayer, x);
  w.passes = true;
  new_one(x);
  EXPECT_EQ(log_text, "boxed new ");
  log_text.clear();
  w.passes = false;
  Logger other("other", 1);
  LayerScope on(other.id);
  new_one(x);
  EXPECT_EQ(log_text, "other< boxed new other> ");
}

TEST_F(LayersTest, AnErrorAroundARecordedCallLeavesLayersAsTheyWere) {
  Watcher w;
  AttachLayer(kGradLayer, x);
  EXPECT_THROW(write_one(x, -1), Error);
  EXPECT_EQ(log_text, "begin write_ 2 failed ");
  EXPECT_EQ(thread_state.layers_excluded, 0U);
  log_text.clear();
  w.throws_late = true;
  EXPECT_THROW(new_one(x), Error);
  EXPECT_EQ(log_text, "begin new 1 excluded end tensor ");
  w.refuses = true;
  EXPECT_THROW(new_one(x), Error);
  EXPECT_EQ(thread_state.layers_excluded, 0U);
}

}  // namespace
}  // namespace sy
