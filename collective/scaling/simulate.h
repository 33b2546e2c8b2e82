// A collective run message by message: what the formulas of cost.h are checked by.
//
// Each rank goes through its rounds (schedule.h). A message waits for its way out (the rank's own
// inside a node, the node's card to others) and its way in, keeps both for its bytes, and arrives a
// latency later; what waits longest goes first. Nodes have a core for each rank here.
// Owns: nothing. Threads: any.
// Errors: as RoundsOf's.
#ifndef SWITCHYARD_COLLECTIVE_SCALING_SIMULATE_H_
#define SWITCHYARD_COLLECTIVE_SCALING_SIMULATE_H_

#include "switchyard/collective/scaling/machine.h"

namespace sy::collective::scaling {

struct Simulated {
  double seconds = 0;  // until the last rank is done
};
Simulated Simulate(Collective c, Algorithm a, int ranks, double bytes, const Machine& m);

}  // namespace sy::collective::scaling

#endif  // SWITCHYARD_COLLECTIVE_SCALING_SIMULATE_H_
