#include "switchyard/core/fork.h"

#include <pthread.h>

namespace sy::internal {

// By rank, each list in the order in which it is taken; linked before main.
struct Forks {
  static constexpr int kRanks = static_cast<int>(ForkRank::kMemory) + 1;
  static constinit AtFork* of_rank[kRanks];

  static void Link(AtFork& a) {
    AtFork*& head = of_rank[static_cast<int>(a.rank_)];
    a.next_ = head;
    head = &a;
  }
  static void Before() {
    for (AtFork* a : of_rank) {
      for (; a != nullptr; a = a->next_) {
        try {
          a->handler_(ForkPhase::kBefore);
          a->held_ = true;
        } catch (...) {
          a->held_ = false;
        }
      }
    }
  }
  static void After(ForkPhase phase) {
    for (AtFork* a : of_rank) {
      for (; a != nullptr; a = a->next_) {
        if (!a->held_) continue;
        a->held_ = false;
        a->handler_(phase);
      }
    }
  }
};
constinit AtFork* Forks::of_rank[Forks::kRanks] = {};

AtFork::AtFork(ForkRank rank, Handler handler) : rank_(rank), handler_(handler) {
  static const int registered = pthread_atfork(
      Forks::Before, [] { Forks::After(ForkPhase::kInParent); },
      [] { Forks::After(ForkPhase::kInChild); });
  static_cast<void>(registered);
  Forks::Link(*this);
}

}  // namespace sy::internal
