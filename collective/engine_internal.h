// Engines as groups see them, and how they are found.
#ifndef SWITCHYARD_COLLECTIVE_ENGINE_INTERNAL_H_
#define SWITCHYARD_COLLECTIVE_ENGINE_INTERNAL_H_

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collective/store_internal.h"
#include "switchyard/collective/engine_abi.h"

namespace sy::collective {

// Texts of failures are cut there, and have room beforehand: memory may be what has failed.
inline constexpr size_t kText = kRoomOfText;

// One group's. Run throws an Error without an operator's name: who calls says the rest.
class Engine {
 public:
  virtual ~Engine() = default;
  // [see engine_abi.h for threads] False: it does not do such calls, and nothing was done.
  virtual bool Run(const SyCollective& call) = 0;
  // Throws where a queued call has failed.
  virtual void Poll() {}
  // This rank has failed after so many calls, as the text says. True where the engine itself
  // compares that with what the other ranks have told, when they meet.
  virtual bool Tell(uint64_t /*calls*/, std::string_view /*failure*/) { return false; }
  // Ends waiting in Run, now and from now on. Takes no memory.
  virtual void Abort(std::string_view why) noexcept = 0;
};

struct GroupPlan {
  std::string key;         // of this group alone in the whole run
  std::string key_failed;  // of the text that says why it is not made
  int rank = 0;
  std::vector<int> ranks;  // in the world
  std::chrono::milliseconds timeout{0};
  Store* store = nullptr;
  std::string host;  // this machine's address
  int device = -1;   // its index, of an engine for a device
  int world_rank() const { return ranks[static_cast<size_t>(rank)]; }
};

// Errors: kUnavailable where there is no such engine, or it does not start.
std::unique_ptr<Engine> MakeEngine(std::string_view engine, const GroupPlan& plan);
// Threads of one process. Where a rank ends, the others are told.
std::unique_ptr<Engine> MakeLocalEngine(const GroupPlan& plan);
// The library, opened; null where there is none, and why.
const SyEngine* OpenEngine(std::string_view engine, std::string* why);

// "all_reduce of float32[4096], sum": for messages.
std::string Describe(const SyCollective& call);
std::string_view KindName(int kind);
// "_c10d_functional::all_reduce": the operator that makes such calls.
std::string_view OperatorName(int kind);
// Whether calls of the kind reduce.
inline bool Reduces(int kind) { return kind == SY_ALL_REDUCE || kind == SY_REDUCE_SCATTER; }
// Bytes of what is moved into and out of the engine, of a group of `size` ranks.
int64_t InBytes(const SyCollective& call, int size);
int64_t OutBytes(const SyCollective& call, int size);

// Where the local engine's ranks meet: made by whoever comes first.
struct LocalMeeting;
// [any rank's thread] Tells those who wait for the rank, a number in the world, that it has ended.
// Asks for no memory.
void EndLocalRank(LocalStore& store, int rank);

}  // namespace sy::collective

#endif  // SWITCHYARD_COLLECTIVE_ENGINE_INTERNAL_H_
