// switchyard scaling: what collectives and steps of training cost, measured and foretold
// (docs/scaling.md).
//
//   switchyard launch -n 2 switchyard scaling measure > rows      # on this machine
//   switchyard scaling fit rows --cores 2                         # the model beside them
//   switchyard scaling collective all_reduce 1e8 --machine infiniband --svg all_reduce.svg
//   switchyard scaling step encoder --machine ethernet --svg step.svg
//   switchyard scaling check                                      # formulas beside the simulation

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <sstream>

#include "switchyard/collective/group.h"
#include "switchyard/collective/scaling/chart.h"
#include "switchyard/collective/scaling/cost.h"
#include "switchyard/collective/scaling/fit.h"
#include "switchyard/collective/scaling/measure.h"
#include "switchyard/collective/scaling/simulate.h"
#include "switchyard/collective/scaling/step.h"
#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"
#include "tools/command/commands.h"

namespace sy::collective::scaling {
namespace {

constexpr double kMicro = 1e6, kMilli = 1e3, kPercent = 100;
constexpr double kEnough = 0.3;  // how far a fitted row may be off
constexpr int kMostRanks = 4096;

std::vector<int> Ranks(int from) {
  std::vector<int> all;
  for (int p = from; p <= kMostRanks; p *= 2) all.push_back(p);
  return all;
}

struct Asked {
  std::string machine = "infiniband", name, svg, rows, engine;
  double bytes = 0, a_row = 0.2;
  std::vector<int64_t> sizes = {4, 64 << 10, 64 << 20};
  int cores = 0;
  double forward = 0, backward = 0, optimizer = 0;  // ms; 0: the model's
};

void MeasureHere(const Asked& o) {
  const Group& world = InitWorld();
  if (SizeOf(world) < 2)
    Fail(ErrorCode::kInvalidArgument, {"scaling measure: for two ranks or more, by a launcher"});
  const std::vector<Row> rows = Measure("world", o.sizes, std::chrono::duration<double>(o.a_row));
  if (RankIn(world) == 0) {
    for (const Row& r : rows) {
      std::cout << fmt::format("{} {} {} {:.0f} {:.3f}\n", r.engine, r.ranks, Name(r.collective),
                               r.bytes, r.seconds * kMicro);
    }
  }
  EndWorld();
}

// Rows as `launch` hands them on, "[0] " in front.
std::vector<Row> ReadRows(const std::string& path) {
  std::ifstream file(path);
  std::string text;
  for (std::string line; std::getline(file, line);)
    text += (line.starts_with("[0] ") ? line.substr(4) : line) + "\n";
  if (!file.eof()) Fail(ErrorCode::kInvalidArgument, {path, " cannot be read"});
  return ParseRows(text);
}

std::string Bytes(double n) {
  if (n >= 1 << 20) return fmt::format("{:g} MiB", n / (1 << 20));
  return n >= 1 << 10 ? fmt::format("{:g} KiB", n / (1 << 10)) : fmt::format("{:g} B", n);
}

int FitRows(const Asked& o) {
  const std::vector<Row> rows = ReadRows(o.rows);
  std::vector<std::string> engines;
  for (const Row& r : rows) {
    const bool wanted = o.engine.empty() || o.engine == r.engine;
    if (wanted && std::find(engines.begin(), engines.end(), r.engine) == engines.end())
      engines.push_back(r.engine);
  }
  if (engines.empty()) Fail(ErrorCode::kInvalidArgument, {o.rows, " has no such rows"});
  double worst = 0;
  for (const std::string& engine : engines) {
    const Fit fit = FitTo(rows, engine, o.cores);
    worst = std::max(worst, fit.worst);
    std::cout << fmt::format(
        "{}, {} cores: {:.2f} µs a message, {:.2f} more over 4 KiB, {:.2f} more where ranks share "
        "cores; a byte {:.3f} ns moved and {:.3f} added in caches, {:.3f} and {:.3f} in memory\n\n"
        "| ranks | collective | size | algorithm | measured µs | model µs | error |\n"
        "|---:|---|---:|---|---:|---:|---:|\n",
        engine, o.cores, fit.cached.inside.latency * kMicro, fit.cached.inside.handshake * kMicro,
        fit.cached.turn * kMicro, fit.cached.copy * 1e9, fit.cached.reduce * 1e9,
        fit.memory.copy * 1e9, fit.memory.reduce * 1e9);
    for (const FitRow& r : fit.rows) {
      std::cout << fmt::format("| {} | {} | {} | {} | {:.2f} | {:.2f} | {:+.0f} % |\n", r.ranks,
                               Name(r.collective), Bytes(r.bytes), Name(r.algorithm),
                               r.seconds * kMicro, r.predicted * kMicro,
                               kPercent * (r.predicted / r.seconds - 1));
    }
    std::cout << fmt::format("\nat most {:.0f} %\n\n", kPercent * fit.worst);
  }
  return worst <= kEnough ? 0 : 1;
}

void ShowCollective(const Asked& o) {
  const Machine m = MachineOf(o.machine);
  const Collective c = CollectiveOf(o.name);
  std::vector<Line> lines;
  std::cout << fmt::format("{} of {} on {} ({}), microseconds\n\n| ranks |", o.name, Bytes(o.bytes),
                           m.name, m.origin);
  for (const Algorithm a : AllAlgorithms()) {
    if (!Exists(c, a)) continue;
    lines.push_back({std::string(Name(a)), {}, false});
    std::cout << fmt::format(" {} |", Name(a));
  }
  std::cout << " least |\n|---:|";
  for (size_t i = 0; i < lines.size(); ++i) std::cout << "---:|";
  std::cout << "---|\n";
  for (const int p : Ranks(2)) {
    std::cout << fmt::format("| {} |", p);
    for (Line& line : lines) {
      const double s = Seconds(c, AlgorithmOf(line.name), p, o.bytes, m);
      line.points.emplace_back(p, s * kMicro);
      std::cout << fmt::format(" {:.1f} |", s * kMicro);
    }
    std::cout << fmt::format(" {} |\n", Name(Best(c, p, o.bytes, m)));
  }
  if (o.svg.empty()) return;
  command::WriteText(o.svg, Chart(fmt::format("{} of {}, {}", o.name, Bytes(o.bytes), m.name),
                                  "ranks", "microseconds", lines));
}

void ShowStep(const Asked& o) {
  const Machine m = MachineOf(o.machine);
  Model model = ModelOf(o.name);
  if (o.forward > 0) model.forward = o.forward / kMilli;
  if (o.backward > 0) model.backward = o.backward / kMilli;
  if (o.optimizer > 0) model.optimizer = o.optimizer / kMilli;
  double bytes = 0;
  for (const int64_t n : model.parameters) bytes += static_cast<double>(n);
  std::cout << fmt::format(
      "a step of {} on {}: {} of gradients in {} buckets, alone {:.2f} ms ({})\n\n"
      "| ranks | step ms | averages ms | not hidden ms | efficiency | largest bucket by |\n"
      "|---:|---:|---:|---:|---:|---|\n",
      model.name, m.name, Bytes(bytes), BucketsOf(model).size(),
      (model.forward + model.backward + model.optimizer) * kMilli, model.origin);
  Line step{"step", {}, false}, averages{"averages", {}, false}, alone{"alone", {}, false};
  const std::vector<int64_t> buckets = BucketsOf(model);
  const auto largest = static_cast<double>(*std::max_element(buckets.begin(), buckets.end()));
  for (const int p : Ranks(8)) {
    const Step s = StepOf(model, p, m);
    std::cout << fmt::format("| {} | {:.3f} | {:.3f} | {:.3f} | {:.0f} % | {} |\n", p,
                             s.seconds * kMilli, s.collectives * kMilli, s.exposed() * kMilli,
                             kPercent * s.efficiency(),
                             Name(Best(Collective::kAllReduce, p, largest, m)));
    step.points.emplace_back(p, s.seconds * kMilli);
    averages.points.emplace_back(p, s.collectives * kMilli);
    alone.points.emplace_back(p, s.alone * kMilli);
  }
  if (o.svg.empty()) return;
  command::WriteText(o.svg, Chart(fmt::format("a step of {}, {}", model.name, m.name), "ranks",
                                  "milliseconds", {step, averages, alone}));
}

void Check() {
  std::cout << "closed formulas by the simulation, 8 to 64 ranks, nothing to 100 MB\n\n"
               "| machine | collective | algorithm | least | most |\n|---|---|---|---:|---:|\n";
  for (const Machine& m : KnownMachines()) {
    for (const Collective c : AllCollectives()) {
      for (const Algorithm a : AllAlgorithms()) {
        if (!Exists(c, a)) continue;
        double least = HUGE_VAL, most = 0;
        for (const int p : {8, 16, 24, 40, 64}) {
          for (const double n : {0., 1e3, 1e6, 1e8}) {
            const double by = Seconds(c, a, p, n, m) / Simulate(c, a, p, n, m).seconds;
            least = std::min(least, by);
            most = std::max(most, by);
          }
        }
        std::cout << fmt::format("| {} | {} | {} | {:.2f} | {:.2f} |\n", m.name, Name(c), Name(a),
                                 least, most);
      }
    }
  }
}

}  // namespace
}  // namespace sy::collective::scaling

namespace sy::command {

void AddScaling(CLI::App& app, int* status) {
  using namespace collective::scaling;  // NOLINT(google-build-using-namespace)
  auto* command =
      app.add_subcommand("scaling", "What collectives and training cost on many machines");
  command->require_subcommand(1);
  static Asked o;
  auto* measure = command->add_subcommand("measure", "Time collectives, as a rank of a launcher");
  measure->add_option("--sizes", o.sizes, "Bytes")->check(CLI::PositiveNumber);
  measure->add_option("--seconds", o.a_row, "A row")->check(CLI::PositiveNumber);
  measure->callback([] { MeasureHere(o); });
  auto* fit = command->add_subcommand("fit", "Fit the model to such rows, and compare");
  fit->add_option("rows", o.rows, "What measure has printed")->required();
  fit->add_option("--engine", o.engine, "These alone");
  fit->add_option("--cores", o.cores, "That the ranks shared")
      ->required()
      ->check(CLI::PositiveNumber);
  fit->callback([status] { *status = FitRows(o); });
  const auto add_machine = [](CLI::App* to) {
    std::vector<std::string> names;
    for (const Machine& m : KnownMachines()) names.push_back(m.name);
    to->add_option("--machine", o.machine, "Where")->check(CLI::IsMember(names));
    to->add_option("--svg", o.svg, "A picture, too");
  };
  auto* one =
      command->add_subcommand("collective", "A collective by every algorithm, to 4096 ranks");
  one->add_option("name", o.name, "all_reduce, …")->required();
  one->add_option("bytes", o.bytes, "Of a rank's tensor")
      ->required()
      ->check(CLI::NonNegativeNumber);
  add_machine(one);
  one->callback([] { ShowCollective(o); });
  auto* step = command->add_subcommand("step", "A step of training, 8 to 4096 ranks");
  step->add_option("model", o.name, "train or encoder")->required();
  step->add_option("--forward-ms", o.forward, "Of a rank")->check(CLI::PositiveNumber);
  step->add_option("--backward-ms", o.backward, "Of a rank")->check(CLI::PositiveNumber);
  step->add_option("--optimizer-ms", o.optimizer, "Of a rank")->check(CLI::PositiveNumber);
  add_machine(step);
  step->callback([] { ShowStep(o); });
  command->add_subcommand("check", "The formulas beside a simulation")->callback([] { Check(); });
}

}  // namespace sy::command
