// Who is told of a replay's cases as they are made, and a process of its own to make them in.
//
//   struct Print : Sink { … };
//   Print print;
//   ReplayApart([&](Sink& sink, int64_t skip) { …cases from the skip-th on… }, print, limit);
//
// A kernel that crashes or hangs ends that process; its case has failed, and another process goes
// on behind it. So it does where a case has lost the device.
// Threads: one at a time. ReplayApart: before kernels have run in this process, since a fork takes
// no threads along.
// Errors: ReplayApart throws what `replay` throws as sy::Error, and kInternal when the process dies
// between two cases.
#ifndef TESTING_REPLAY_SINK_H_
#define TESTING_REPLAY_SINK_H_

#include <absl/functional/function_ref.h>

#include <chrono>
#include <cstdint>
#include <string_view>

#include "testing/replay/call.h"

namespace sy::replay {

struct Ending {
  Verdict verdict = Verdict::kPassed;
  bool fallback = false;
  bool kernels = true;                   // see Outcome
  std::string_view what = {}, why = {};  // the call, expected and got, for a failure
};

class Sink {
 public:
  virtual ~Sink() = default;
  // place: "cases-0.jsonl.gz:12".
  virtual void Begin(std::string_view op, std::string_view place) = 0;
  // op: what it counts under. Once for each Begin.
  virtual void End(std::string_view op, const Ending& e) = 0;
  // After a case: the device is lost to this process.
  virtual void Lost() {}
};

// limit: how long one case may take.
void ReplayApart(absl::FunctionRef<void(Sink&, int64_t skip)> replay, Sink& sink,
                 std::chrono::milliseconds limit);

}  // namespace sy::replay

#endif  // TESTING_REPLAY_SINK_H_
