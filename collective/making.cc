#include <algorithm>
#include <cstdio>
#include <new>
#include <thread>

#include "collective/making_internal.h"
#include "collective/work_internal.h"

namespace sy::collective {

namespace {
using std::chrono::milliseconds;
// How long is waited for a text before it is looked whether there will be one; how long after the
// deadline for the first rank, which sees it itself.
constexpr milliseconds kSoon{1}, kLater{20}, kLate{1000};
}  // namespace

Making::Making(Store& store, uint64_t number, std::string_view op, std::string_view name, int rank)
    : store_(store), number_(number), op_(op), name_(name), rank_(rank) {
  std::snprintf(key_of_failure_, kRoomOfKey, "making/%llu/failed",
                static_cast<unsigned long long>(number));  // NOLINT(google-runtime-int): printf's
}

std::string Making::KeyOf(int step, int rank) const {
  return Join({"making/", number_, "/", step, "/", rank});
}

void Making::Blame(ErrorCode code, const std::string& text) {
  blames_ = true;
  Fail(code, {text});
}

std::string Making::Failure() { return store_.Get(key_of_failure_, milliseconds(0)).value_or(""); }

std::string Making::Await(const std::string& key, int from, const GroupPlan& plan,
                          Clock::time_point deadline) {
  for (milliseconds patience = kSoon;; patience = std::min(2 * patience, kLater)) {
    const bool ended = store_.HasEnded(from);  // before the look at what it has said
    try {
      if (auto found = store_.Get(key, patience)) return *std::move(found);
      if (const auto why = store_.Get(plan.key_failed, milliseconds(0))) {
        heard_ = true;
        Fail(ErrorCode::kUnavailable, {*why});
      }
    } catch (const std::bad_alloc&) {
      if (rank_ == plan.ranks[0]) throw;  // nobody has the group yet
      std::this_thread::sleep_for(patience);
    }
    if (ended) Blame(ErrorCode::kUnavailable, Join({"rank ", from, " has ended"}));
    if (Clock::now() < deadline) continue;
    Blame(ErrorCode::kUnavailable,
          Join({"no answer within ", plan.timeout.count(), " ms: rank ", from, " has not come"}));
  }
}

void Making::Meet(const GroupPlan& plan, int step, const std::string& what) {
  if (plan.ranks.size() < 2) return;
  const std::string all = Join({"making/", number_, "/", step});
  const Clock::time_point deadline = Clock::now() + plan.timeout;
  const int first = plan.ranks[0];
  store_.Set(KeyOf(step, rank_), what);
  if (rank_ != first) {
    Await(all, first, plan, deadline + kLate);
    return;
  }
  for (const int rank : plan.ranks) {
    const std::string its = Await(KeyOf(step, rank), rank, plan, deadline);
    if (its == what) continue;
    Blame(ErrorCode::kInvalidArgument, Join({"ranks make different groups: rank ", first, " ", what,
                                             ", rank ", rank, " ", its}));
  }
  store_.Set(all, "");
}

void Making::Tell(std::string_view why) noexcept {
  char text[kRoomOfText];
  const int n = static_cast<int>(std::min(why.size(), kRoomOfText));
  if (blames_) {
    std::snprintf(text, kRoomOfText, "%.*s", n, why.data());
  } else {
    std::snprintf(text, kRoomOfText, "rank %d has failed: %.*s", rank_, n, why.data());
  }
  try {
    store_.Set(key_of_failure_, text);
  } catch (const std::exception&) {
    store_.SetInRoom(rank_, key_of_failure_, text);
  }
}

void Making::FailHere(bool tells) {
  const Error e = CurrentError();
  std::string others;  // for which an engine may not have started
  try {
    if (tells && !heard_ && !blames_ && e.code() == ErrorCode::kUnavailable) others = Failure();
  } catch (const std::exception&) {
  }
  if (tells && !heard_ && others.empty()) Tell(e.reason());
  Fail(e.code(), op_,
       {"rank ", rank_, ", group '", name_, "': ", e.reason(), others.empty() ? "" : "; ", others});
}

}  // namespace sy::collective
