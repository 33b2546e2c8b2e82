#include "switchyard/collective/scaling/schedule.h"

#include <algorithm>

#include "switchyard/core/error.h"

namespace sy::collective::scaling {
namespace {

using Rounds = std::vector<Round>;

// Some ranks of all: first, first + step, …
struct Team {
  int first, step, size;
  int me;  // the place in it
  int rank(int place) const { return first + step * ((place % size + size) % size); }
};

// n: bytes of the whole. adds: what comes is added.
void Ring(Rounds& out, const Team& t, double n, bool adds) {
  const double part = n / t.size;
  for (int s = 1; s < t.size; ++s)
    out.push_back({t.rank(t.me + 1), t.rank(t.me - 1), part, adds ? part : 0, 0});
}
void Pairwise(Rounds& out, const Team& t, double n) {
  for (int s = 1; s < t.size; ++s)
    out.push_back({t.rank(t.me + s), t.rank(t.me - s), n / t.size, 0, 0});
}
// The greatest power of two below n; 0 for 1.
int Below(int n) {
  int d = 0;
  for (int k = 1; k < n; k *= 2) d = k;
  return d;
}

// Binomial trees with the root at place 0. shrinks: a rank hands on what is for those below it
// alone, of n bytes for all.
enum class Load { kWhole, kParts };
double LoadOf(const Team& t, int below, int distance, Load load, double n) {
  if (load == Load::kWhole) return n;
  return n / t.size * std::min(distance, t.size - below);
}
void Down(Rounds& out, const Team& t, double n, Load load) {
  for (int d = Below(t.size); d > 0; d /= 2) {
    if (t.me % (2 * d) == 0 && t.me + d < t.size) {
      out.push_back({t.rank(t.me + d), -1, LoadOf(t, t.me + d, d, load, n), 0, 0});
    } else if (t.me % (2 * d) == d) {
      out.push_back({-1, t.rank(t.me - d), 0, 0, 0});
    }
  }
}
void Up(Rounds& out, const Team& t, double n, Load load, bool adds) {
  for (int d = 1; d < t.size; d *= 2) {
    if (t.me % (2 * d) == 0 && t.me + d < t.size) {
      out.push_back({-1, t.rank(t.me + d), 0, adds ? n : 0, 0});
    } else if (t.me % (2 * d) == d) {
      out.push_back({t.rank(t.me - d), -1, LoadOf(t, t.me, d, load, n), 0, 0});
      return;
    }
  }
}

// Those beyond a power of two hand theirs to a partner, and get the result.
void Doubling(Rounds& out, const Team& t, double n) {
  int power = 1;
  while (power * 2 <= t.size) power *= 2;
  const int extra = t.size - power;
  if (t.me >= power) {
    out.push_back({t.rank(t.me - power), -1, n, 0, 0});
    out.push_back({-1, t.rank(t.me - power), 0, 0, 0});
    return;
  }
  if (t.me < extra) out.push_back({-1, t.rank(t.me + power), 0, n, 0});
  for (int d = 1; d < power; d *= 2) {
    const int partner = t.rank(t.me ^ d);
    out.push_back({partner, partner, n, n, 0});
  }
  if (t.me < extra) out.push_back({t.rank(t.me + power), -1, n, 0, 0});
}
// Bruck's: parts that have come go on, twice as many each time. all_to_all sends half of all in
// each round; a barrier nothing.
enum class Bruck { kGather, kReduceScatter, kAllToAll, kBarrier };
void Halves(Rounds& out, const Team& t, double n, Bruck how) {
  const auto round = [&](int d) {
    int parts = std::min(d, t.size - d);
    if (how == Bruck::kAllToAll) {
      parts = 0;
      for (int k = 1; k < t.size; ++k) parts += (k & d) != 0 ? 1 : 0;
    }
    const double load = how == Bruck::kBarrier ? 0 : n / t.size * parts;
    out.push_back(
        {t.rank(t.me - d), t.rank(t.me + d), load, how == Bruck::kReduceScatter ? load : 0, 0});
  };
  if (how == Bruck::kReduceScatter) {
    for (int d = Below(t.size); d > 0; d /= 2) round(d);
  } else {
    for (int d = 1; d < t.size; d *= 2) round(d);
  }
}

void Flat(Rounds& out, Collective c, Algorithm a, const Team& t, double n) {
  const bool ring = a == Algorithm::kRing, tree = a == Algorithm::kTree;
  switch (c) {
    case Collective::kBarrier:
      if (ring) {
        Ring(out, t, 0, false);
        Ring(out, t, 0, false);
      } else if (tree) {
        Up(out, t, 0, Load::kWhole, false);
        Down(out, t, 0, Load::kWhole);
      } else {
        Halves(out, t, 0, Bruck::kBarrier);
      }
      return;
    case Collective::kAllReduce:
      if (ring) {
        Ring(out, t, n, true);
        Ring(out, t, n, false);
      } else if (tree) {
        Up(out, t, n, Load::kWhole, true);
        Down(out, t, n, Load::kWhole);
      } else {
        Doubling(out, t, n);
      }
      return;
    case Collective::kReduceScatter:
      if (ring) {
        Ring(out, t, n, true);
      } else if (tree) {
        Up(out, t, n, Load::kWhole, true);
        Down(out, t, n, Load::kParts);
      } else {
        Halves(out, t, n, Bruck::kReduceScatter);
      }
      return;
    case Collective::kAllGather:
      if (ring) {
        Ring(out, t, n, false);
      } else if (tree) {
        Up(out, t, n, Load::kParts, false);
        Down(out, t, n, Load::kWhole);
      } else {
        Halves(out, t, n, Bruck::kGather);
      }
      return;
    case Collective::kAllToAll:
      if (ring) {
        Pairwise(out, t, n);
      } else {
        Halves(out, t, n, Bruck::kAllToAll);
      }
      return;
    case Collective::kBroadcast:
      if (ring) {
        Down(out, t, n, Load::kParts);
        Ring(out, t, n, false);
      } else {
        Down(out, t, n, Load::kWhole);
      }
  }
}

}  // namespace

double OwnBytes(Collective c, int ranks, double bytes) {
  if (c == Collective::kAllReduce) return bytes;
  return c == Collective::kAllGather || c == Collective::kAllToAll ? bytes / ranks : 0;
}

void RequireCall(Collective c, Algorithm a, int rank, int ranks, int per_node) {
  if (!Exists(c, a))
    Fail(ErrorCode::kInvalidArgument, {"there is no ", Name(c), " by a ", Name(a)});
  const int q = std::min(ranks, per_node);
  if (ranks < 1 || q < 1 || ranks % q != 0 || rank < 0 || rank >= ranks) {
    Fail(ErrorCode::kInvalidArgument,
         {"rank ", rank, " of ", ranks, ", ", per_node, " a node: expected full nodes"});
  }
}

std::vector<Round> RoundsOf(Collective c, Algorithm a, int rank, int ranks, double bytes,
                            int per_node) {
  RequireCall(c, a, rank, ranks, per_node);
  Rounds out;
  if (const double own = OwnBytes(c, ranks, bytes); own > 0) out.push_back({-1, -1, 0, 0, own});
  if (a != Algorithm::kHierarchical) {
    Flat(out, c, a, {0, 1, ranks, rank}, bytes);
    return out;
  }
  const int q = std::min(ranks, per_node), local = rank % q;
  const Team inside = {rank - local, 1, q, local};
  const Team across = {local, q, ranks / q, rank / q};
  switch (c) {
    case Collective::kBarrier:
      Up(out, inside, 0, Load::kWhole, false);
      if (local == 0) Halves(out, across, 0, Bruck::kBarrier);
      Down(out, inside, 0, Load::kWhole);
      break;
    case Collective::kAllReduce:
      Ring(out, inside, bytes, true);
      Ring(out, across, bytes / q, true);
      Ring(out, across, bytes / q, false);
      Ring(out, inside, bytes, false);
      break;
    case Collective::kReduceScatter:
      Ring(out, inside, bytes, true);
      Ring(out, across, bytes / q, true);
      break;
    case Collective::kAllGather:
      Ring(out, across, bytes / q, false);
      Ring(out, inside, bytes, false);
      break;
    case Collective::kAllToAll:
      Pairwise(out, inside, bytes);
      Pairwise(out, across, bytes);
      break;
    case Collective::kBroadcast:
      if (local == 0) Down(out, across, bytes, Load::kWhole);
      Down(out, inside, bytes, Load::kWhole);
      break;
  }
  return out;
}

}  // namespace sy::collective::scaling
