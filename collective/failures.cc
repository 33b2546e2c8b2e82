// Failures of one rank alone. A rank that has failed in what all do, a kernel on its part of a
// sharded tensor for instance, and goes on, would make other calls than the others, or none: they
// would wait, or take one call's data for another's. So every rank counts its failures in each
// group, and tells them.
//
// Before its next call the rank waits until the others have told the same; they, where they wait in
// a call that it had not come to, say that they have not failed. The engine "local" compares
// failures where its ranks meet; others go by the store:
//
//   line "KEY NUMBER CALLS RANK TEXT"   told to all: the rank's NUMBER-th, after CALLS calls
//   "failed/KEY/NUMBER/RANK"            CALLS: so has this rank; "no": it has not, and goes on

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>

#include "collective/work_internal.h"

namespace sy::collective {

using Clock = std::chrono::steady_clock;

namespace {
constexpr std::chrono::milliseconds kSoon{1}, kLater{50};  // how often the others are asked
}  // namespace

std::string Group::KeyOfFailure(uint64_t number, int rank) const {
  return Join({"failed/", plan.key, "/", number, "/", rank});
}

std::string_view Group::FailureText(char (&room)[kText], uint64_t after,
                                    std::string_view what) const {
  const int n =
      std::snprintf(room, kText, "rank %d has failed after call %llu: %.*s", plan.world_rank(),
                    static_cast<unsigned long long>(after),  // NOLINT(google-runtime-int): printf's
                    static_cast<int>(std::min(what.size(), kText)), what.data());
  return {room, std::min(static_cast<size_t>(n), kText - 1)};
}

void Group::NoteFailure(std::string_view what) noexcept {
  if (engine_ == nullptr || state_.load(std::memory_order_acquire) == kBroken) return;
  uint64_t number = 0, after = 0;
  try {
    char room[kText];
    std::string_view text;
    {
      std::unique_lock lock(mutex_);  // what is queued was called before
      changed_.wait(lock, [&] { return !busy(); });
      after = calls();
      text = FailureText(room, after, what);
      last_failure_.assign(text);
      failed_after_.push_back(after);
      number = failed_after_.size();
    }
    if (engine_->Tell(after, text)) return;
    State whole = kWhole;
    state_.compare_exchange_strong(whole, kUnsure);
    const int rank = plan.world_rank();
    plan.store->Set(KeyOfFailure(number, rank), std::to_string(after));
    TellAll(number, after, text);
  } catch (const std::bad_alloc&) {
    GiveUp(after, what);
  } catch (const std::exception&) {  // whoever cannot be told sees the deadline
  }
}

void Group::TellAll(uint64_t number, uint64_t after, std::string_view text) {
  plan.store->Tell(Join({plan.key, " ", number, " ", after, " ", plan.world_rank(), " ", text}));
}

void Group::GiveUp(uint64_t after, std::string_view what) noexcept {
  char room[kText];
  const std::string_view text = FailureText(room, after, what);
  {
    std::lock_guard lock(mutex_);
    last_failure_.assign(text);
    given_up_after_ = after;
  }
  Spoil(text);
  engine_->Abort(text);
}

void Group::TellGivenUp() noexcept {
  try {
    std::string text;
    uint64_t after = 0;
    {
      std::lock_guard lock(mutex_);
      if (!given_up_after_) return;
      text = last_failure_;
      after = *given_up_after_;
    }
    // No other rank has failed so often.
    TellAll(std::numeric_limits<uint64_t>::max(), after, text);
  } catch (const std::bad_alloc&) {
    return;                          // the next time
  } catch (const std::exception&) {  // rank 0 is gone, and is missed
  }
  std::lock_guard lock(mutex_);
  given_up_after_.reset();
}

void ReportFailure(Group& group, std::string_view what) noexcept { group.NoteFailure(what); }

bool Group::Hear(const std::string& line) {
  if (line.compare(0, plan.key.size(), plan.key) != 0 || line[plan.key.size()] != ' ') return false;
  const char* at = line.c_str() + plan.key.size();
  char* end = nullptr;
  Told told;
  told.number = std::strtoull(at, &end, 10);
  told.calls = std::strtoull(end, &end, 10);
  told.rank = static_cast<int>(std::strtol(end, &end, 10));
  told.text = end + 1;
  std::lock_guard lock(mutex_);
  std::erase_if(told_, [&](const Told& t) { return HasFailedToo(t); });
  if (told.rank != plan.world_rank()) told_.push_back(std::move(told));
  return true;
}

bool Group::HasFailedToo(const Told& t) const {
  return t.number <= failed_after_.size() && failed_after_[t.number - 1] == t.calls;
}

std::vector<Group::Told> Group::FailedAlone(uint64_t number) const {
  std::vector<Told> alone;
  for (const Told& t : told_) {
    if (!HasFailedToo(t) && t.calls < number) alone.push_back(t);
  }
  return alone;
}

void Group::Answer(const std::vector<Told>& alone) {
  const int rank = plan.world_rank();
  try {
    for (const Told& t : alone) plan.store->Set(KeyOfFailure(t.number, rank), "no");
  } catch (const Error&) {  // rank 0 is gone, and is missed
  }
}

std::string Group::WhoElseHasNot() {
  uint64_t number = 0;
  std::string mine;
  {
    std::lock_guard lock(mutex_);
    number = failed_after_.size();
    mine = std::to_string(failed_after_.back());
  }
  const Clock::time_point deadline = Clock::now() + plan.timeout;
  std::chrono::milliseconds pause = kSoon;
  for (const int rank : plan.ranks) {
    while (rank != plan.world_rank()) {
      const std::optional<std::string> said =
          plan.store->Get(KeyOfFailure(number, rank), Store::Milliseconds(0));
      if (said == mine) break;
      {
        std::lock_guard lock(mutex_);
        if (said) return Join({last_failure_, "; rank ", rank, " has not"});
        if (std::find(ended_.begin(), ended_.end(), rank) != ended_.end())
          return Join({last_failure_, "; rank ", rank, " has ended"});
        if (Clock::now() > deadline) {
          return Join({last_failure_, "; no answer within ", plan.timeout.count(), " ms; rank ",
                       rank, " has not arrived"});
        }
      }
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, kLater);
    }
  }
  return "";
}

void Group::Settle(const SyCollective& call, uint64_t number) {
  RequireWhole();
  std::string why;
  try {
    why = WhoElseHasNot();
  } catch (const std::exception&) {
    const Error e = CurrentError();
    throw Break(call, number, e.code(), e.reason());
  }
  if (!why.empty()) throw Break(call, number, ErrorCode::kUnavailable, why);
  State unsure = kUnsure;
  state_.compare_exchange_strong(unsure, kWhole);
}

}  // namespace sy::collective
