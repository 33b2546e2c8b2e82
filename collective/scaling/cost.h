// What a collective costs, by closed formulas of ranks, bytes and the machine (machine.h).
//
//   Seconds(Collective::kAllReduce, Algorithm::kRing, 64, 1e8, m);
//   Best(Collective::kAllReduce, 64, 1e8, m);      // the algorithm that costs least
//
// With p ranks, n bytes, a link's latency α, β a byte of it, and γ to add a byte, on one level:
//
//                   ring                        tree                     butterfly
//   all_reduce      2 (p−1) (α + n/p β)         2 ⌈log p⌉ (α + n β)      log p (α + n β + n γ)
//                     + (p−1)/p n γ               + ⌈log p⌉ n γ
//   reduce_scatter  (p−1) (α + n/p (β + γ))     a reduction, a scatter  ⌈log p⌉ α + (p−1)/p n (β+γ)
//   all_gather      (p−1) (α + n/p β)           a gather, a broadcast    ⌈log p⌉ α + (p−1)/p n β
//   all_to_all      (p−1) (α + n/p β)           –                        ⌈log p⌉ (α + n/2 β)
//   broadcast       a scatter, an all_gather    ⌈log p⌉ (α + n β)        –
//   barrier         2 (p−1) α                   2 ⌈log p⌉ α              ⌈log p⌉ α
//
// Hierarchical: the ring's inside a node and, with each rank's part, between nodes. On two levels a
// round of a flat algorithm costs what its slowest message costs, and ranks of a node that send
// outside at once share its card.
// Owns: nothing. Threads: any.
// Errors: as RoundsOf's (schedule.h).
// Source: Thakur, Rabenseifner and Gropp, "Optimization of Collective Communication Operations in
// MPICH", 2005.
#ifndef SWITCHYARD_COLLECTIVE_SCALING_COST_H_
#define SWITCHYARD_COLLECTIVE_SCALING_COST_H_

#include "switchyard/collective/scaling/machine.h"

namespace sy::collective::scaling {

double Seconds(Collective c, Algorithm a, int ranks, double bytes, const Machine& m);
Algorithm Best(Collective c, int ranks, double bytes, const Machine& m);

}  // namespace sy::collective::scaling

#endif  // SWITCHYARD_COLLECTIVE_SCALING_COST_H_
