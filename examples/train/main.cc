// Trains the network and says how good it is:
//
//   bazel run //examples/train -- /tmp/digits        # 4 epochs
//   bazel run //examples/train -- /tmp/digits 2      # 2 epochs
//   switchyard launch -n 2 --restarts 3 train /tmp/digits   # two ranks, which share each batch
//   switchyard launch -n 4 train /tmp/digits 4 sharded      # the same, written for one process
//
// The folder gets `checkpoint`, after each epoch, and `loss.svg`. A run that was stopped goes on
// where its last epoch ended; so do all ranks when one is lost and they start again. The status is
// 1 where fewer than 95 % are recognised.

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>

#include "examples/train/curve.h"
#include "examples/train/training.h"
#include "switchyard/collective/group.h"
#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace train {
namespace {

constexpr double kEnough = 0.95;

// "[######    ] 128/256  loss 0.213", in one line where somebody looks on.
void ShowProgress(const Training& t, double loss, double seconds) {
  constexpr int64_t kBar = 30;
  const int64_t full = kBar * t.steps() / t.all_steps();
  fmt::print(stderr, "\r[{:#<{}}{:{}}] {}/{}  loss {:.4f}  {:.1f} s ", "", full, "", kBar - full,
             t.steps(), t.all_steps(), loss, seconds);
  if (t.done()) fmt::print(stderr, "\n");
}

// Whether this is the rank that says how it goes.
bool Speaks() {
  const sy::collective::Group* world = sy::collective::FindGroup("world");
  return world == nullptr || sy::collective::RankIn(*world) == 0;
}

int Run(const std::string& folder, int64_t epochs, bool sharded) {
  std::filesystem::create_directories(folder);
  const std::string checkpoint = folder + "/checkpoint";
  Training training({.epochs = epochs, .sharded = sharded});
  if (std::filesystem::exists(checkpoint)) {
    training.Load(checkpoint);
    if (Speaks())
      fmt::print("goes on from step {} of {}\n", training.steps(), training.all_steps());
  }
  const bool watched = isatty(STDERR_FILENO) != 0, speaks = Speaks();
  const int64_t an_epoch = training.all_steps() / epochs;
  const auto start = std::chrono::steady_clock::now();
  while (!training.done()) {
    const double loss = training.Step();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (watched) ShowProgress(training, loss, took.count());
    if (training.steps() % an_epoch != 0) continue;
    training.Save(checkpoint);
    if (!watched && speaks)
      fmt::print("epoch {}: loss {:.4f}\n", training.steps() / an_epoch, loss);
  }
  const double accuracy = training.Accuracy();  // of all ranks where tensors are sharded
  if (!speaks) return 0;
  WriteCurve(folder + "/loss.svg", training.losses());
  fmt::print("{:.1f} % of other digits are recognised; {}/loss.svg\n", 100 * accuracy, folder);
  return accuracy >= kEnough ? 0 : 1;
}

}  // namespace
}  // namespace train

int main(int argc, char** argv) {
  try {
    const int64_t epochs = argc >= 3 ? std::stoll(argv[2]) : 4;
    const bool sharded = argc == 4 && std::string(argv[3]) == "sharded";
    if (argc < 2 || argc > 4 || (argc == 4 && !sharded) || epochs < 1)
      throw std::invalid_argument("");
    sy::collective::InitWorld();  // of one, unless a launcher has started several
    const int status = train::Run(argv[1], epochs, sharded);
    sy::collective::EndWorld();
    return status;
  } catch (const sy::Error& e) {
    fmt::print(stderr, "train: {}\n", e.what());
    return 1;
  } catch (const std::exception& e) {
    fmt::print(stderr, "usage: train FOLDER [EPOCHS [sharded]]  {}\n", e.what());
    return 2;
  }
}
