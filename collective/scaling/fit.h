// A machine's numbers from what was measured on it, and how well they say it.
//
//   const Fit f = FitTo(ParseRows(text), "mpi", 2);      // of 2 cores
//   for (const FitRow& r : f.rows) … r.seconds, r.predicted
//
// One node, on which ranks of one engine were timed (`switchyard scaling measure`). Latencies are
// one for all rows; what a byte costs depends on whether caches hold it, so that there are two of
// each such number, below and from kCachedBytes on. Which algorithm an engine takes for a
// collective of a size is not known: it is the one that fits best, the same for all numbers of
// ranks.
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument for lines that are no rows, and where an engine has none.
#ifndef SWITCHYARD_COLLECTIVE_SCALING_FIT_H_
#define SWITCHYARD_COLLECTIVE_SCALING_FIT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "switchyard/collective/scaling/machine.h"

namespace sy::collective::scaling {

struct Row {
  std::string engine;
  int ranks = 0;
  Collective collective = Collective::kBarrier;
  double bytes = 0;
  double seconds = 0;
};
// A line each: engine, ranks, collective, bytes, microseconds; empty ones and those that begin with
// # are passed over. Of rows that differ in time alone the best.
std::vector<Row> ParseRows(std::string_view text);

constexpr double kCachedBytes = 1 << 20;

struct FitRow : Row {
  Algorithm algorithm = Algorithm::kRing;
  double predicted = 0;  // seconds
};
struct Fit {
  Machine cached, memory;  // for rows below kCachedBytes, and from there on
  std::vector<FitRow> rows;
  double worst = 0;  // of |predicted / seconds − 1|
};
Fit FitTo(const std::vector<Row>& rows, std::string_view engine, int cores);

}  // namespace sy::collective::scaling

#endif  // SWITCHYARD_COLLECTIVE_SCALING_FIT_H_
