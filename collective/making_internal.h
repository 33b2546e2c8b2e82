// How a group comes to be: by all of its ranks, or by none.
//
// Every rank says how far it has come, and the group's first one, once all have, that they have;
// who fails says why instead, so that nobody waits for it. In the store, of the world's N-th group:
//
//   "making/N/STEP/RANK"   what the rank makes, the same on all: it has come to this step
//   "making/N/STEP"        all have
//   "making/N/failed"      why there is no such group
#ifndef SWITCHYARD_COLLECTIVE_MAKING_INTERNAL_H_
#define SWITCHYARD_COLLECTIVE_MAKING_INTERNAL_H_

#include <chrono>
#include <string>
#include <string_view>

#include "collective/engine_internal.h"
#include "switchyard/core/error.h"

namespace sy::collective {

// One group's, on one rank. Texts outlive it. Threads: one.
class Making {
 public:
  // op: what was called. rank: in the world. Takes no memory.
  Making(Store& store, uint64_t number, std::string_view op, std::string_view name, int rank);

  const char* KeyOfFailure() const { return key_of_failure_; }
  // Returns when all ranks of the group have come to the step. Who has said that it has come does
  // not fail for want of memory, but for the first rank, without which nobody goes on. what: the
  // group's name and ranks. Errors: what another rank has failed of, that one has ended or does not
  // come, or makes another group.
  void Meet(const GroupPlan& plan, int step, const std::string& what);
  // In a handler of a std::exception: throws it on in the name of what was called, rank and group.
  // tells: to those who wait for this rank.
  [[noreturn]] void FailHere(bool tells);

 private:
  using Clock = std::chrono::steady_clock;
  std::string KeyOf(int step, int rank) const;
  std::string Await(const std::string& key, int from, const GroupPlan& plan,
                    Clock::time_point deadline);
  // What another rank has failed of; "" where none has said so.
  std::string Failure();
  // The text says whose fault it is.
  [[noreturn]] void Blame(ErrorCode code, const std::string& text);
  void Tell(std::string_view why) noexcept;

  Store& store_;
  const uint64_t number_;
  const std::string_view op_, name_;
  const int rank_;
  char key_of_failure_[kRoomOfKey];
  bool heard_ = false;   // of another rank's failure
  bool blames_ = false;  // the error's text names a rank
};

}  // namespace sy::collective

#endif  // SWITCHYARD_COLLECTIVE_MAKING_INTERNAL_H_
