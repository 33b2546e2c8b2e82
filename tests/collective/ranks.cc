// One rank of processes_test: what it does is its argument.

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "examples/train/training.h"
#include "switchyard/collective/group.h"
#include "switchyard/collective/sharded/sharded.h"
#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"
#include "tests/collective/battery.h"

namespace sy::collective {
namespace {

// The rank that something happens to.
int Victim() {
  const char* text = std::getenv("VICTIM");  // NOLINT(concurrency-mt-unsafe): one thread
  return text == nullptr ? 1 : std::atoi(text);
}

void Say(const std::string& text) { std::cout << text + "\n" << std::flush; }

// Why a call has failed, and how long it took to.
void SayAfter(std::chrono::steady_clock::time_point start, const Error& e) {
  const auto took = std::chrono::steady_clock::now() - start;
  Say(Join({"after ", std::chrono::duration_cast<std::chrono::milliseconds>(took).count(),
            " ms: ", e.what()}));
}

// Calls until one fails; the victim does `fault` before its third.
void Until(void (*fault)(), std::chrono::milliseconds timeout) {
  const int rank = RankIn(GroupOf("world"));
  std::vector<int> all(static_cast<size_t>(SizeOf(GroupOf("world"))));
  for (size_t r = 0; r < all.size(); ++r) all[r] = static_cast<int>(r);
  NewGroup("tp", all, {.timeout = timeout});
  for (int i = 1;; ++i) {
    if (i == 3 && rank == Victim()) fault();
    const auto start = std::chrono::steady_clock::now();
    try {
      const Tensor y = call("_c10d_functional::all_reduce", ones({2, 2}), "sum", "tp");
      sum(y);
    } catch (const Error& e) {
      SayAfter(start, e);
      throw;
    }
  }
}

// Trains and says all losses. A folder: of the checkpoint, from which it goes on; there the victim
// dies once, in the middle of the second epoch.
void Train(const std::string& folder, bool sharded) {
  InitWorld();
  train::Training training({.epochs = 2, .digits = 256, .batch = 32, .sharded = sharded});
  const Group* world = FindGroup("world");
  const int rank = world == nullptr ? 0 : RankIn(*world);
  const std::string checkpoint = folder + "/checkpoint", died = folder + "/died";
  if (std::filesystem::exists(checkpoint)) training.Load(checkpoint);
  while (!training.done()) {
    if (!folder.empty() && rank == Victim() && training.steps() == 11 &&
        !std::filesystem::exists(died)) {
      std::ofstream(died) << "here";
      raise(SIGKILL);
    }
    training.Step();
    if (!folder.empty() && training.steps() == 8) training.Save(checkpoint);
  }
  std::string all;
  for (const double loss : training.losses()) all += Join({" ", loss});
  if (rank == 0) Say("losses:" + all);
  EndWorld();
}

// The victim goes on after an error that it alone has.
void RefusedOnce() {
  try {
    call("_c10d_functional::all_reduce", ones({2, 2}), "summ", "tp");
  } catch (const Error& e) {
    Say(Join({"refused: ", e.what()}));
  }
}

// The victim alone is refused a group that all make, and all make another.
void MakesAlone() {
  const Group& world = InitWorld({.group = {.timeout = std::chrono::milliseconds(60'000)}});
  const std::vector<int> all(RanksOf(world).begin(), RanksOf(world).end()), twice = {1, 0, 1};
  const auto start = std::chrono::steady_clock::now();
  try {
    NewGroup("tp", RankIn(world) == Victim() ? twice : all);
  } catch (const Error& e) {
    SayAfter(start, e);
  }
  NewGroup("tp", all);
  const Tensor y = call("_c10d_functional::all_reduce", ones({2}), "sum", "tp");
  Say(Join({"sum ", y.at<float>(1)}));
  EndWorld();
}

// A table in parts: the victim looks up a row that there is not. Everybody then wants the whole.
void Sharded() {
  using namespace sharded;  // NOLINT(google-build-using-namespace)
  InitWorld({.group = {.timeout = std::chrono::milliseconds(60'000)}});
  const Group& world = GroupOf("world");
  const MeshRef mesh = MakeMesh("line", {{"model", SizeOf(world)}});
  const Tensor table = Distribute(ones({4, 6}), mesh, {Shard(1)});
  for (int i = 0; i < 3; ++i) {  // what all are refused alike
    try {
      mm(table, table);
    } catch (const Error&) {
      FullTensor(table);
    }
  }
  const bool victim = RankIn(world) == Victim();
  try {
    index_select(table, 0, full({1}, victim ? 9 : 1, DType::kInt64));
  } catch (const Error& e) {
    Say(Join({"refused: ", e.what()}));
  }
  const auto start = std::chrono::steady_clock::now();
  try {
    FullTensor(table);
  } catch (const Error& e) {
    SayAfter(start, e);
    throw;
  }
}

void Run(std::string_view what, const std::string& folder) {
  if (what == "sharded") return Sharded();
  if (what == "makes_alone") return MakesAlone();
  if (what == "train") return Train(folder, false);
  if (what == "train_sharded") return Train(folder, true);
  if (what == "battery") {
    InitWorld();
    const int compared = RunBattery();
    Say(Join({"compared ", compared, " by ", EngineOf(GroupOf("world"))}));
    return EndWorld();
  }
  if (what == "mismatch") {
    InitWorld({.group = {.check = true}});
    if (RankIn(GroupOf("world")) == 0) {
      call("_c10d_functional::all_reduce", ones({8}), "sum", "world");
    } else {
      call("_c10d_functional::all_reduce", ones({4}), "sum", "world");
    }
    return;
  }
  InitWorld();
  using std::chrono::milliseconds;
  if (what == "killed") return Until([] { raise(SIGKILL); }, milliseconds(60'000));
  if (what == "stopped") return Until([] { raise(SIGSTOP); }, milliseconds(1000));
  if (what == "refused") return Until(RefusedOnce, milliseconds(60'000));
  if (what == "throws") {
    return Until([] { throw std::runtime_error("out of paper"); }, milliseconds(60'000));
  }
  if (what == "leaves") {
    return Until(
        [] {
          EndWorld();
          exit(0);  // NOLINT(concurrency-mt-unsafe)
        },
        milliseconds(60'000));
  }
  throw std::runtime_error("no such scenario");
}

}  // namespace
}  // namespace sy::collective

int main(int argc, char** argv) {
  try {
    sy::collective::Run(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "");
  } catch (const std::exception& e) {
    std::cerr << e.what() << "\n";
    _exit(3);  // a rank that has failed waits for nobody
  }
}
