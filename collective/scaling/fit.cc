#include "switchyard/collective/scaling/fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <sstream>
#include <utility>

#include "switchyard/collective/scaling/cost.h"
#include "switchyard/core/error.h"

namespace sy::collective::scaling {
namespace {

constexpr double kMicro = 1e-6;

// What is known of the machine and the engine.
struct Host {
  int cores, pieces;
};

// Logarithms of what is looked for.
enum Unknown { kLatency, kHandshake, kTurn, kByte, kByteMemory, kReduce, kReduceMemory, kUnknowns };
using Unknowns = std::array<double, kUnknowns>;
// 10 GB/s, 5 GB/s added: somewhere near any machine.
Unknowns First(double latency) {
  return {std::log(latency), std::log(latency), std::log(2e-6), std::log(1e-10),
          std::log(2e-10),   std::log(2e-10),   std::log(4e-10)};
}

Machine MachineFrom(const Unknowns& u, bool memory, int ranks, Host host) {
  Machine m;
  m.ring_pieces = host.pieces;
  m.ranks_per_node = ranks;
  m.cores = host.cores;
  m.turn = std::exp(u[kTurn]);
  m.inside.latency = std::exp(u[kLatency]);
  m.inside.handshake = std::exp(u[kHandshake]);
  m.inside.seconds_per_byte = m.copy = std::exp(u[memory ? kByteMemory : kByte]);
  m.reduce = std::exp(u[memory ? kReduceMemory : kReduce]);
  return m;
}

double Predict(const Row& r, Algorithm a, const Unknowns& u, Host host) {
  return Seconds(r.collective, a, r.ranks, r.bytes,
                 MachineFrom(u, r.bytes >= kCachedBytes, r.ranks, host));
}

// Of each collective and size the algorithm.
using Key = std::pair<Collective, double>;
using Choice = std::map<Key, Algorithm>;

// A high power looks at the worst more than at the mean.
constexpr double kPower = 4;
double Misses(const Row& r, Algorithm a, const Unknowns& u, Host host) {
  const double e = std::log(Predict(r, a, u, host) / r.seconds);
  return std::pow(e * e, kPower);
}
double Choose(const std::map<Key, std::vector<Row>>& groups, const Unknowns& u, Host host,
              Choice* choice) {
  double sum = 0;
  for (const auto& [key, rows] : groups) {
    double least = HUGE_VAL;
    for (const Algorithm a : {Algorithm::kRing, Algorithm::kTree, Algorithm::kButterfly}) {
      if (!Exists(key.first, a)) continue;
      double misses = 0;
      for (const Row& r : rows) misses += Misses(r, a, u, host);
      if (misses < least && choice != nullptr) (*choice)[key] = a;
      least = std::min(least, misses);
    }
    sum += least;
  }
  return sum;
}

// Steps along each unknown and along pairs of them, ever smaller ones, from two beginnings.
Unknowns Search(const std::vector<Row>& rows, Host host, Choice* choice) {
  std::map<Key, std::vector<Row>> groups;
  for (const Row& r : rows) groups[{r.collective, r.bytes}].push_back(r);
  Unknowns best_of_all = {};
  double least_of_all = HUGE_VAL;
  for (const double latency : {3e-7, 3e-5}) {
    Unknowns best = First(latency);
    double least = Choose(groups, best, host, nullptr);
    constexpr double kLargest = 1.0, kSmallest = 0.01;
    for (double step = kLargest; step > kSmallest;) {
      const double before = least;
      for (size_t i = 0; i < kUnknowns; ++i) {
        for (size_t j = i; j < kUnknowns; ++j) {
          for (const auto& [a, b] : {std::pair(1, 1), {1, -1}, {-1, 1}, {-1, -1}}) {
            Unknowns u = best;
            u[i] += a * step;
            if (j != i) u[j] += b * step;
            const double misses = Choose(groups, u, host, nullptr);
            if (misses < least) best = u;
            least = std::min(least, misses);
          }
        }
      }
      if (least == before) step /= 2;
    }
    if (least < least_of_all) best_of_all = best;
    least_of_all = std::min(least_of_all, least);
  }
  Choose(groups, best_of_all, host, choice);
  return best_of_all;
}

}  // namespace

std::vector<Row> ParseRows(std::string_view text) {
  std::vector<Row> rows;
  std::istringstream lines{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line);
    Row r;
    std::string name, rest;
    double microseconds = 0;
    if (!(words >> r.engine) || r.engine[0] == '#') continue;
    if (!(words >> r.ranks >> name >> r.bytes >> microseconds) || words >> rest || r.ranks < 2 ||
        r.bytes < 0 || !(microseconds > 0) || !std::isfinite(microseconds)) {
      Fail(ErrorCode::kInvalidArgument,
           {"line ", number, ": '", line,
            "', expected an engine, ranks (2 or more), a collective, bytes, microseconds"});
    }
    r.collective = CollectiveOf(name);
    r.seconds = microseconds * kMicro;
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const Row& s) {
      return s.engine == r.engine && s.ranks == r.ranks && s.collective == r.collective &&
             s.bytes == r.bytes;
    });
    if (same == rows.end()) {
      rows.push_back(std::move(r));
    } else {
      same->seconds = std::min(same->seconds, r.seconds);
    }
  }
  return rows;
}

Fit FitTo(const std::vector<Row>& all, std::string_view engine, int cores) {
  std::vector<Row> rows;
  std::copy_if(all.begin(), all.end(), std::back_inserter(rows),
               [&](const Row& r) { return r.engine == engine; });
  if (rows.empty()) Fail(ErrorCode::kInvalidArgument, {"no rows of engine '", engine, "'"});
  // Gloo's rings keep two messages under way for each part (gloo/allreduce.cc, allgather.cc).
  const Host host = {cores, engine == "gloo" ? 2 : 1};
  Fit fit;
  Choice choice;
  const Unknowns u = Search(rows, host, &choice);
  int most = 0;
  for (const Row& r : rows) most = std::max(most, r.ranks);
  fit.cached = MachineFrom(u, false, most, host);
  fit.memory = MachineFrom(u, true, most, host);
  fit.cached.name = fit.memory.name = Join({"this machine by ", engine});
  for (const Row& r : rows) {
    FitRow f;
    static_cast<Row&>(f) = r;
    f.algorithm = choice.at({r.collective, r.bytes});
    f.predicted = Predict(r, f.algorithm, u, host);
    fit.worst = std::max(fit.worst, std::abs(f.predicted / r.seconds - 1));
    fit.rows.push_back(std::move(f));
  }
  return fit;
}

}  // namespace sy::collective::scaling
