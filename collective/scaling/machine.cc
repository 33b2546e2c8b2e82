#include "switchyard/collective/scaling/machine.h"

#include <array>

#include "switchyard/core/error.h"

namespace sy::collective::scaling {
namespace {

constexpr std::array kCollectives = {Collective::kBarrier,       Collective::kAllReduce,
                                     Collective::kReduceScatter, Collective::kAllGather,
                                     Collective::kAllToAll,      Collective::kBroadcast};
constexpr std::array<std::string_view, kCollectives.size()> kCollectiveNames = {
    "barrier", "all_reduce", "reduce_scatter", "all_gather", "all_to_all", "broadcast"};
constexpr std::array kAlgorithms = {Algorithm::kRing, Algorithm::kTree, Algorithm::kButterfly,
                                    Algorithm::kHierarchical};
constexpr std::array<std::string_view, kAlgorithms.size()> kAlgorithmNames = {
    "ring", "tree", "butterfly", "hierarchical"};

template <class T, size_t n>
T Find(std::string_view what, const std::array<T, n>& all,
       const std::array<std::string_view, n>& names, std::string_view name) {
  std::string known;
  for (size_t i = 0; i < n; ++i) {
    if (names[i] == name) return all[i];
    known += Join({i == 0 ? "" : ", ", names[i]});
  }
  Fail(ErrorCode::kInvalidArgument, {"no ", what, " is called '", name, "'; there are ", known});
}

}  // namespace

std::span<const Machine> KnownMachines() {
  static const std::array<Machine, 3> all = {{
      {.name = "ethernet",
       .ranks_per_node = 1,
       .inside = {20e-6, 1 / 1.17e9},
       .between = {20e-6, 1 / 1.17e9},
       .reduce = 1 / 5e9,
       .copy = 1 / 10e9,
       .origin = "a rank a machine, 10 Gbit/s Ethernet and TCP: 9.4 Gbit/s of payload, 20 µs a "
                 "message"},
      {.name = "infiniband",
       .ranks_per_node = 8,
       .inside = {1e-6, 1 / 10e9},
       .between = {2e-6, 1 / 24e9},
       .reduce = 1 / 8e9,
       .copy = 1 / 10e9,
       .origin = "eight processes a machine over shared memory, one 200 Gbit/s InfiniBand card"},
      {.name = "nvlink",
       .ranks_per_node = 8,
       .inside = {6e-6, 1 / 370e9},
       .between = {12e-6, 1 / 390e9},
       .reduce = 1 / 1000e9,
       .copy = 1 / 1500e9,
       .origin =
           "eight H100 a machine: NVLink 4, of whose 450 GB/s each way 370 are reached; eight "
           "400 Gbit/s cards taken as one"},
  }};
  return all;
}

Machine MachineOf(std::string_view name) {
  std::string known;
  for (const Machine& m : KnownMachines()) {
    if (m.name == name) return m;
    known += Join({known.empty() ? "" : ", ", m.name});
  }
  Fail(ErrorCode::kInvalidArgument, {"no machine is called '", name, "'; there are ", known});
}

std::string_view Name(Collective c) { return kCollectiveNames[static_cast<size_t>(c)]; }
std::string_view Name(Algorithm a) { return kAlgorithmNames[static_cast<size_t>(a)]; }
Collective CollectiveOf(std::string_view name) {
  return Find("collective", kCollectives, kCollectiveNames, name);
}
Algorithm AlgorithmOf(std::string_view name) {
  return Find("algorithm", kAlgorithms, kAlgorithmNames, name);
}
std::span<const Collective> AllCollectives() { return kCollectives; }
std::span<const Algorithm> AllAlgorithms() { return kAlgorithms; }
bool Exists(Collective c, Algorithm a) {
  if (c == Collective::kAllToAll) return a != Algorithm::kTree;
  return c != Collective::kBroadcast || a != Algorithm::kButterfly;
}

}  // namespace sy::collective::scaling
