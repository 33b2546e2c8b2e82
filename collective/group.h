// Process groups: the ranks of a program that runs on many machines or threads, by name.
//
//   collective::InitWorld();                          // RANK, WORLD_SIZE, …: group "world"
//   sy::call("_c10d_functional::all_reduce", x, "sum", "world");
//   collective::NewGroup("pair", {{0, 1}}, {.timeout = 30s});
//
// Every rank runs the same program and makes the same calls in a group, in the same order. An
// engine moves the data: "local" between threads of one process, others between processes, each a
// library that is opened when it is first asked for (collective/engine_abi.h).
//
// Ranks as threads, for tests and for trying things out:
//
//   collective::RunRanks(4, [](int rank) { … });      // each has a group "world" of its own
//
// What goes wrong is an error on every rank that is still there, and never a wait without end: a
// rank that ends, or does not come before the deadline, is named with the group, the operator and
// the number of the call, and so is one that has failed where the others have not (ReportFailure).
// The group is of no use afterwards; the world goes on.
//
//   variable                       meaning, default
//   RANK, WORLD_SIZE               who this process is, of how many; 0 and 1
//   MASTER_ADDR, MASTER_PORT       where rank 0 is; 127.0.0.1, 29400
//   SWITCHYARD_ENGINE              "gloo", "mpi"; mpi under its launcher, else gloo
//   SWITCHYARD_ENGINE_PATH         absolute folders in which engines' libraries lie, by colons
//   SWITCHYARD_COLLECTIVE_TIMEOUT  seconds that a call may wait; 600
//   SWITCHYARD_COLLECTIVE_CHECK    1: ranks compare what they call before each call
// Owns: the runtime keeps groups until they are destroyed.
// Threads: calls in one group from several threads are made in some order; what must be in order is
// made by one thread. A rank of RunRanks is the thread that runs it, and those it says so to. A
// child of fork is no rank.
// Errors: kNotFound for a group that this rank is not in, kUnavailable for ranks and engines that
// are not there, kInvalidArgument for calls that do not match, kBusy.
#ifndef SWITCHYARD_COLLECTIVE_GROUP_H_
#define SWITCHYARD_COLLECTIVE_GROUP_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "switchyard/core/macros.h"

namespace sy::collective {

class Group;

struct GroupOptions {
  // "": the world's.
  std::string engine = {};
  // For tensors on cuda: "nccl", where every rank of the group has it; else, and with "host", they
  // go by way of the host.
  std::string device_engine = "nccl";
  // How long a call may wait for other ranks. Unset: the world's.
  std::optional<std::chrono::milliseconds> timeout = {};
  // Whether ranks tell each other what they call before they do: a mismatch is then an error that
  // names both, at the price of a small collective a call. Unset: the world's.
  std::optional<bool> check = {};
  // A call that moves more bytes is queued, and its result waits when it is used; smaller ones are
  // done when they return, where nothing is queued before them: handing them over takes longer. 0:
  // all are queued; they must be where groups are used in another order on other ranks.
  int64_t inline_bytes = 256 * 1024;
};

// --- The world: all ranks. Its group is named "world", or "0", as in torch.

// Unset members are taken from the environment.
struct WorldOptions {
  std::optional<int> rank = {}, size = {};
  std::string address = {};  // of rank 0's machine
  int port = 0;
  GroupOptions group = {};
};
// Joins the other processes; returns when all are there. Once a process, until EndWorld. Errors:
// kInvalidArgument for numbers that do not fit, kUnavailable where ranks do not come in time.
SY_API Group& InitWorld(const WorldOptions& options = {});
// Leaves: the others see that this rank has ended. Does nothing where there is no world. Errors:
// kBusy while calls are queued.
SY_API void EndWorld();
// Runs f(rank) in n threads, each a rank of a world of its own with engine "local"; returns when
// all have. What a rank throws ends it, which others see when they wait for it; the first failure
// of all is thrown here. options.engine: "local" or empty.
SY_API void RunRanks(int n, const std::function<void(int)>& f, const GroupOptions& options = {});
// A rank of RunRanks in another thread, for as long as this lives: a thread that a rank starts is
// nobody until it says so.
class SY_API AsRank {
 public:
  explicit AsRank(const Group& group);
  ~AsRank();
  AsRank(const AsRank&) = delete;

 private:
  void* saved_;
};

// --- Groups. Every rank of the world makes the same groups in the same order.

// ranks: of the world, without repetition; a rank's number in the group is its position. Null on
// ranks that are not among them. Returns when all of them have come to it: they have the group, or
// an error, also that of another rank. Errors: kInvalidArgument for a name that is taken, such
// ranks, and ranks that make different groups, kUnavailable for what another rank has failed of.
SY_API Group* NewGroup(std::string_view name, std::span<const int> ranks,
                       const GroupOptions& options = {});
// Errors: kBusy while calls are queued, kNotFound.
SY_API void DestroyGroup(std::string_view name);
// Null where this rank is not in such a group.
SY_API Group* FindGroup(std::string_view name);
// The same; kNotFound, naming those that there are.
SY_API Group& GroupOf(std::string_view name);

// --- Failures.

// Tells the group that this rank has failed in something that all of them do: of a rank that goes
// on after an error, the next call is not the one that the others make. Where every rank has told
// as many failures before its next call, nothing happens; else the others' next call is an error
// with this text, as soon as it waits, and so is this rank's. Calls with sharded tensors, and those
// of collectives whose arguments are refused, tell by themselves. what: "mm(): …".
SY_API void ReportFailure(Group& group, std::string_view what) noexcept;

// --- What is known of one.
SY_API const std::string& NameOf(const Group& group);
SY_API int RankIn(const Group& group);
SY_API int SizeOf(const Group& group);
SY_API std::span<const int> RanksOf(const Group& group);  // in the world
SY_API std::string_view EngineOf(const Group& group);
// Calls of collectives so far, failed ones too; sends and receives are not counted.
SY_API uint64_t CallsOf(const Group& group);

}  // namespace sy::collective

#endif  // SWITCHYARD_COLLECTIVE_GROUP_H_
