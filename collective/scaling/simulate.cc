#include "switchyard/collective/scaling/simulate.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <queue>
#include <utility>
#include <vector>

#include "switchyard/collective/scaling/schedule.h"

namespace sy::collective::scaling {
namespace {

struct Rank {
  std::vector<Round> rounds;
  size_t at = 0;
  double begun = 0;                           // when the round began
  double sent = -1;                           // when its message is out; -1: not yet
  std::map<int, std::deque<double>> arrived;  // times, by sender
};

// A message that wants to go, or (to: −1) a rank's own work.
struct Ready {
  double at;
  int64_t number;  // of two that are ready at once the earlier
  int from, to;
  double bytes, seconds;
  bool operator>(const Ready& o) const { return std::pair(at, number) > std::pair(o.at, o.number); }
};

class Run {
 public:
  Run(Collective c, Algorithm a, int ranks, double bytes, const Machine& m)
      : m_(m), ranks_(static_cast<size_t>(ranks)) {
    const auto nodes = static_cast<size_t>(ranks / std::min(ranks, m.ranks_per_node));
    out_.resize(ranks_.size());
    in_.resize(ranks_.size());
    card_out_.resize(nodes);
    card_in_.resize(nodes);
    for (int r = 0; r < ranks; ++r) {
      ranks_[Index(r)].rounds = RoundsOf(c, a, r, ranks, bytes, m.ranks_per_node);
      Begin(r, 0);
    }
    while (!ready_.empty()) {
      const Ready next = ready_.top();
      ready_.pop();
      Move(next);
    }
  }
  Simulated result() const { return {last_}; }

 private:
  static size_t Index(int i) { return static_cast<size_t>(i); }
  size_t Node(int rank) const { return Index(rank / m_.ranks_per_node); }

  // The rank's next round begins.
  void Begin(int rank, double now) {
    Rank& r = ranks_[Index(rank)];
    last_ = std::max(last_, now);
    if (r.at == r.rounds.size()) return;
    const Round& round = r.rounds[r.at];
    r.begun = now;
    r.sent = round.to < 0 ? now : -1;
    if (round.to >= 0) ready_.push({now, ++numbers_, rank, round.to, round.sent, 0});
    Finish(rank);
  }
  void Move(Ready x) {
    const bool works = x.to < 0, inside = works || Node(x.from) == Node(x.to);
    double none = 0;
    double& out = works ? none : inside ? out_[Index(x.from)] : card_out_[Node(x.from)];
    double& in = works ? none : inside ? in_[Index(x.to)] : card_in_[Node(x.to)];
    const double start = std::max({x.at, out, in});
    if (start > x.at) {  // others may be ready before
      x.at = start;
      return ready_.push(x);
    }
    const Link& link = inside ? m_.inside : m_.between;
    const double end = start + (works ? x.seconds : x.bytes * link.seconds_per_byte);
    out = in = end;
    if (works) {
      ++ranks_[Index(x.from)].at;
      return Begin(x.from, end);
    }
    ranks_[Index(x.to)].arrived[x.from].push_back(end + Latency(link, x.bytes, 0));
    ranks_[Index(x.from)].sent = end;
    Finish(x.from);
    if (x.from != x.to) Finish(x.to);
  }
  // Where all of the round's messages are there, what is left of it is the rank's own work.
  void Finish(int rank) {
    Rank& r = ranks_[Index(rank)];
    if (r.at == r.rounds.size() || r.sent < 0) return;
    const Round& round = r.rounds[r.at];
    double done = r.sent;
    if (round.from >= 0) {
      const auto it = r.arrived.find(round.from);
      if (it == r.arrived.end() || it->second.empty()) return;
      done = std::max({done, r.begun, it->second.front()});
      it->second.pop_front();
    }
    r.sent = -1;  // the round is over once
    const double work = round.reduced * m_.reduce + round.copied * m_.copy;
    if (work > 0) return ready_.push({done, ++numbers_, rank, -1, 0, work});
    ++r.at;
    Begin(rank, done);
  }

  const Machine m_;
  std::vector<Rank> ranks_;
  std::vector<double> out_, in_, card_out_, card_in_;  // when they are free
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
  int64_t numbers_ = 0;
  double last_ = 0;
};

}  // namespace

Simulated Simulate(Collective c, Algorithm a, int ranks, double bytes, const Machine& m) {
  return Run(c, a, ranks, bytes, m).result();
}

}  // namespace sy::collective::scaling
