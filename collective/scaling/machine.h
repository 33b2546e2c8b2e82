// Machines as the cost model sees them, and what is asked of them.
//
//   const Machine m = MachineOf("infiniband");          // 8 ranks a node, a card for all of them
//   Seconds(Collective::kAllReduce, Algorithm::kRing, 64, 1e8, m);
//
// Hockney's model: a message of n bytes takes latency + n × seconds_per_byte, and keeps what it
// goes through for n × seconds_per_byte. Two levels: ranks of a node are joined by links of their
// own, one out and one in; nodes by a card each, with one way out and one in, which the ranks of
// the node share. Where a node has fewer cores than ranks, what its ranks do by themselves (copies
// and reductions) takes turns, and every message costs a change of processes.
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument for names that are none.
#ifndef SWITCHYARD_COLLECTIVE_SCALING_MACHINE_H_
#define SWITCHYARD_COLLECTIVE_SCALING_MACHINE_H_

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace sy::collective::scaling {

struct Link {
  double latency = 0;           // seconds a message
  double seconds_per_byte = 0;  // the inverse of the bandwidth
  double handshake = 0;  // more seconds of a message over kEagerBytes: both sides agree first
};
constexpr double kEagerBytes = 4096;

struct Machine {
  std::string name;
  int ranks_per_node = 1;
  Link inside = {};         // between two ranks of a node
  Link between = {};        // between two nodes
  double reduce = 0;        // seconds a byte that is added to another
  double copy = 0;          // seconds a byte that a rank copies for itself
  int cores = 0;            // of a node, which its ranks share; 0: there are enough
  double turn = 0;          // seconds that a change of processes costs, where they are not enough
  int ring_pieces = 1;      // messages that a ring's part is cut into
  std::string origin = {};  // where the numbers are from
};
// Seconds from a message's last byte to its arrival, and before its first. turn: of a change of
// processes, 0 where there is none; both sides have one, and two more to agree.
inline double Latency(const Link& link, double bytes, double turn) {
  const bool agrees = bytes > kEagerBytes;
  return link.latency + (agrees ? link.handshake : 0) + turn * (agrees ? 3 : 1);
}
// How many times longer what `here` ranks of a node do at once takes for want of cores.
inline double Turns(const Machine& m, int here) {
  return m.cores == 0 ? 1 : std::max(1.0, static_cast<double>(here) / m.cores);
}
// "ethernet", "infiniband", "nvlink": numbers of vendors' sheets, as `origin` says.
Machine MachineOf(std::string_view name);
std::span<const Machine> KnownMachines();

enum class Collective { kBarrier, kAllReduce, kReduceScatter, kAllGather, kAllToAll, kBroadcast };
// kRing: parts go round from rank to rank; of all_to_all, a part to each in turn; of broadcast, a
//   scatter by a tree and a ring (van de Geijn).
// kTree: binomial, by way of rank 0.
// kButterfly: distances double; all_reduce sends the whole, the others halves (Bruck).
// kHierarchical: inside nodes and between them, one after the other, by rings and, of broadcast and
//   barrier, trees.
enum class Algorithm { kRing, kTree, kButterfly, kHierarchical };
std::string_view Name(Collective c);  // "all_reduce"
std::string_view Name(Algorithm a);   // "ring"
Collective CollectiveOf(std::string_view name);
Algorithm AlgorithmOf(std::string_view name);
std::span<const Collective> AllCollectives();
std::span<const Algorithm> AllAlgorithms();
// Not all_to_all by a tree, nor broadcast by a butterfly.
bool Exists(Collective c, Algorithm a);

}  // namespace sy::collective::scaling

#endif  // SWITCHYARD_COLLECTIVE_SCALING_MACHINE_H_
