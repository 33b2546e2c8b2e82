// What each rank sends, receives and adds in a collective, round by round: what the simulation
// runs, and what the formulas of cost.h are about.
//
//   for (const Round& r : RoundsOf(Collective::kAllReduce, Algorithm::kRing, rank, 8, 1e6, 8)) …
//
// Bytes are those of bench tables: of a rank's input of all_reduce, reduce_scatter and all_to_all,
// of its output of all_gather and broadcast.
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument where there is no such algorithm, and for ranks that do not fill nodes.
#ifndef SWITCHYARD_COLLECTIVE_SCALING_SCHEDULE_H_
#define SWITCHYARD_COLLECTIVE_SCALING_SCHEDULE_H_

#include <vector>

#include "switchyard/collective/scaling/machine.h"

namespace sy::collective::scaling {

// A message out and one in, at the same time; -1: none. The next round begins when both are there
// and what has come is added.
struct Round {
  int to = -1, from = -1;
  double sent = 0;     // bytes
  double reduced = 0;  // bytes that are added to others
  double copied = 0;   // bytes that the rank copies for itself before
};
// What a rank copies from its input to its output.
double OwnBytes(Collective c, int ranks, double bytes);
// Returns where there is such a call. Errors: as above.
void RequireCall(Collective c, Algorithm a, int rank, int ranks, int per_node);
// Of one rank of `ranks`, `per_node` of which are on each node, one after the other.
std::vector<Round> RoundsOf(Collective c, Algorithm a, int rank, int ranks, double bytes,
                            int per_node);

}  // namespace sy::collective::scaling

#endif  // SWITCHYARD_COLLECTIVE_SCALING_SCHEDULE_H_
