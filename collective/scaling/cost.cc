#include "switchyard/collective/scaling/cost.h"

#include <algorithm>
#include <cmath>

#include "switchyard/collective/scaling/schedule.h"
#include "switchyard/core/error.h"

namespace sy::collective::scaling {
namespace {

constexpr double kElementBytes = 8;

// What rounds cost among `size` ranks, of which `per_node` are on a node.
class Team {
 public:
  Team(const Machine& m, int size, int per_node, int sharing)
      : m_(m), size_(size), per_node_(std::min(per_node, size)), sharing_(sharing) {}

  // p−1 rounds with parts of n / p. What a part waits for on its way round is the mean of all
  // links; what a link carries sets the pace where that takes longer.
  double Ring(double n, bool adds) const {
    if (size_ == 1) return 0;
    const double part = n / size_, added = Work(adds ? part : 0, size_);
    // One element alone goes round by itself; nothing is there to be cut.
    const bool alone = n > 0 && n <= kElementBytes;
    const int busy = alone ? 2 : size_;
    const double more = alone ? 0 : m_.ring_pieces - 1;  // messages a round
    const double inside = Message(part, false, 1, busy) + more * Waits(part, false, busy);
    const double outside = Message(part, true, 1, busy) + more * Waits(part, true, busy);
    const double across = size_ > per_node_ ? 1.0 / per_node_ : 0;  // of the links
    const double mean = across * outside + (1 - across) * inside + added;
    const double slowest = across > 0 ? Occupies(part, true, 1, size_) : 0;
    return (size_ - 1) * std::max(mean, slowest);
  }
  // To the rank s further: s of a node's ranks send outside, as far as there are as many.
  double Pairwise(double n) const {
    const double part = n / size_;
    double sum = 0;
    for (int s = 1; s < size_; ++s) {
      const int share = size_ > per_node_ ? std::min({s, size_ - s, per_node_}) : 0;
      const double message = Message(part, share > 0, 1, size_);
      sum += std::max(message, share > 0 ? Occupies(part, true, share, size_) : 0);
    }
    return sum;
  }
  // From rank 0 down or up to it, over distances d; those below hand on their parts, or the whole.
  // Where the tree is not full no path has a message in every round.
  double Tree(double n, bool parts, bool adds) const {
    double sum = 0, least = HUGE_VAL;
    for (int d = 1; d < size_; d *= 2) {
      const double load = parts ? n / size_ * std::min(d, size_ - d) : n;
      const int pairs = std::max(1, size_ / (2 * d));
      const bool outside = d >= per_node_;
      // Both ends of a message are busy while its bytes move.
      const double waits = Waits(load, outside, pairs);
      sum += waits + Occupies(load, outside, 1, 2 * pairs) + Work(adds ? n : 0, pairs);
      least = std::min(least, waits);
    }
    return IsPower(size_) ? sum : sum - least;
  }
  double Doubling(double n) const {
    int power = 1;
    while (power * 2 <= size_) power *= 2;
    double sum = 0;
    for (int d = 1; d < power; d *= 2)
      sum += Message(n, d >= per_node_, per_node_, size_) + Work(n, size_);
    const int extra = size_ - power;
    if (extra == 0) return sum;
    // Those beyond a power of two hand theirs to a partner, to whom others send at the same time,
    // and get the result.
    const bool outside = power >= per_node_;
    const int share = std::min(extra, per_node_);
    return sum + Waits(n, outside, extra) * (2 * extra > power ? 2 : 1) +
           3 * Occupies(n, outside, share, extra) + Work(n, extra);
  }
  // Bruck's rounds of doubling distances. half: each moves what has the distance's bit
  // (all_to_all). The short ones, of a node's size together, lead out of it once.
  double Halves(double n, bool adds, bool half) const {
    double sum = 0;
    for (int d = 1; d < size_; d *= 2) {
      int parts = std::min(d, size_ - d);
      if (half) {
        parts = 0;
        for (int k = 1; k < size_; ++k) parts += (k & d) != 0 ? 1 : 0;
      }
      const double load = n / size_ * parts;
      const bool outside = d >= per_node_;
      const int share = size_ > per_node_ ? std::min({d, size_ - d, per_node_}) : 0;
      const double message = Message(load, outside, outside ? share : 1, size_);
      sum += std::max(message, share > 0 ? Occupies(load, true, share, size_) : 0) +
             Work(adds ? load : 0, size_);
      if (d == 1 && !outside && size_ > per_node_)
        sum += std::max(0.0, Waits(load, true, size_) - Waits(load, false, size_));
    }
    return sum;
  }

 private:
  // What ranks of a node do by themselves takes turns on its cores.
  double Work(double bytes, int busy) const { return bytes * m_.reduce * Turns(busy); }
  double Turns(int busy) const { return scaling::Turns(m_, std::min(busy, per_node_ * sharing_)); }
  static bool IsPower(int n) { return (n & (n - 1)) == 0; }
  // Most of a latency inside a node is work of its cores.
  double Waits(double n, bool outside, int busy) const {
    const bool turns = m_.cores != 0 && per_node_ * sharing_ > m_.cores;
    Link link = outside ? m_.between : m_.inside;
    if (!outside) link.latency *= Turns(busy);
    return Latency(link, n, turns ? m_.turn : 0);
  }
  // How long what it goes through is taken, with others that send at the same time.
  double Occupies(double n, bool outside, int share, int busy) const {
    return outside ? n * m_.between.seconds_per_byte * share * sharing_
                   : n * m_.inside.seconds_per_byte * Turns(busy);
  }
  double Message(double n, bool outside, int share, int busy) const {
    if (!outside || sharing_ == 1)
      return Waits(n, outside, busy) + Occupies(n, outside, share, busy);
    // Teams that take turns with the card: while one waits another sends.
    return std::max(Waits(n, true, busy) + n * m_.between.seconds_per_byte,
                    Occupies(n, true, share, busy));
  }

  const Machine& m_;
  const int size_, per_node_;
  const int sharing_;  // teams of this kind that use a node's card and cores at the same time
};

double Flat(Collective c, Algorithm a, const Team& t, double n) {
  const bool ring = a == Algorithm::kRing, tree = a == Algorithm::kTree;
  switch (c) {
    case Collective::kBarrier:
      if (ring) return 2 * t.Ring(0, false);
      return tree ? 2 * t.Tree(0, false, false) : t.Halves(0, false, false);
    case Collective::kAllReduce:
      if (ring) return t.Ring(n, true) + t.Ring(n, false);
      return tree ? t.Tree(n, false, true) + t.Tree(n, false, false) : t.Doubling(n);
    case Collective::kReduceScatter:
      if (ring) return t.Ring(n, true);
      return tree ? t.Tree(n, false, true) + t.Tree(n, true, false) : t.Halves(n, true, false);
    case Collective::kAllGather:
      if (ring) return t.Ring(n, false);
      return tree ? t.Tree(n, true, false) + t.Tree(n, false, false) : t.Halves(n, false, false);
    case Collective::kAllToAll:
      return ring ? t.Pairwise(n) : t.Halves(n, false, true);
    case Collective::kBroadcast:
      return ring ? t.Tree(n, true, false) + t.Ring(n, false) : t.Tree(n, false, false);
  }
  return 0;
}

double Hierarchical(Collective c, const Team& inside, const Team& across, double n, int q) {
  switch (c) {
    case Collective::kBarrier:
      return 2 * inside.Tree(0, false, false) + across.Halves(0, false, false);
    case Collective::kAllReduce:
      return inside.Ring(n, true) + across.Ring(n / q, true) + across.Ring(n / q, false) +
             inside.Ring(n, false);
    case Collective::kReduceScatter:
      return inside.Ring(n, true) + across.Ring(n / q, true);
    case Collective::kAllGather:
      return across.Ring(n / q, false) + inside.Ring(n, false);
    case Collective::kAllToAll:
      return inside.Pairwise(n) + across.Pairwise(n);
    case Collective::kBroadcast:
      return across.Tree(n, false, false) + inside.Tree(n, false, false);
  }
  return 0;
}

}  // namespace

double Seconds(Collective c, Algorithm a, int ranks, double bytes, const Machine& m) {
  RequireCall(c, a, 0, ranks, m.ranks_per_node);
  const int q = std::min(ranks, m.ranks_per_node);
  const double own = OwnBytes(c, ranks, bytes) * m.copy * Turns(m, q);
  if (a != Algorithm::kHierarchical) return own + Flat(c, a, Team(m, ranks, q, 1), bytes);
  // Of broadcast and barrier one rank of a node is there for all.
  const bool leaders = c == Collective::kBroadcast || c == Collective::kBarrier;
  return own + Hierarchical(c, Team(m, q, q, 1), Team(m, ranks / q, 1, leaders ? 1 : q), bytes, q);
}

Algorithm Best(Collective c, int ranks, double bytes, const Machine& m) {
  Algorithm best = Algorithm::kRing;
  double least = HUGE_VAL;
  for (const Algorithm a : AllAlgorithms()) {
    if (!Exists(c, a)) continue;
    const double s = Seconds(c, a, ranks, bytes, m);
    if (s < least) best = a;
    least = std::min(least, s);
  }
  return best;
}

}  // namespace sy::collective::scaling
