// The state of a registry depends on what is registered, not on the order of coming and going.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "switchyard/core/error.h"
#include "switchyard/op/testing.h"

namespace sy {
namespace {

using testing::Direct;
using testing::KernelFor;

constexpr int kThings = 7;

int64_t Kernel(Call, const Tensor&) { return 0; }

// Stands for what a device falls back on.
const KernelDef* Fallback(const OperatorEntry& op, KeyWord) {
  KernelDef k;
  k.op = op.name();
  k.file = "fallback";
  k.entry = &op;
  return op.registry().Keep(k);
}

// A registry and seven things to register with it, each of which changes how calls resolve.
class Things {
 public:
  Things()
      : op_(Direct("f(Tensor x) -> int", 1)),
        twin_(Direct("f(Tensor x) -> int", 2)),  // the same operator from another source
        kernels_{KernelFor("f", "cpu", Mask(DType::kFloat32), Kernel, 3),
                 KernelFor("f", "cpu", kAnyDType, Kernel, 4),
                 KernelFor("f", nullptr, kAnyDType, Kernel, 5),
                 KernelFor("f", "cpu", Mask(DType::kFloat32), Kernel, 6)} {}

  void Add(int i) {
    switch (i) {
      case 0:
        return registry_.Add(op_);
      case 1:
        return registry_.Add(twin_);
      case 6:
        return registry_.SetFallback(Fallback);
      default:
        return registry_.Add(kernels_[i - 2]);
    }
  }
  void Remove(int i) {
    switch (i) {
      case 0:
        return registry_.Remove(op_);
      case 1:
        return registry_.Remove(twin_);
      case 6:
        return registry_.SetFallback(nullptr);
      default:
        return registry_.Remove(kernels_[i - 2]);
    }
  }

  // Everything that a program could see: operators, the kernel each key resolves to, candidates,
  // problems.
  std::string State() {
    std::string s;
    for (const OperatorEntry* e : registry_.Entries()) {
      s += Join({e->schema().str(), " at ", e->def()->source(), "\n"});
      for (const KernelDef* k : registry_.KernelsOf(*e)) s += "  kernel " + k->source() + "\n";
      for (DType d : {DType::kFloat32, DType::kInt64}) {
        const KeyWord key = MakeKey(kHostRow, d);
        const KernelDef* k = e->kernels->Find(key);
        s += Join({"  ", d, " runs ", k == nullptr ? "nothing" : k->source(), "\n"});
        for (const Candidate& c : registry_.Candidates(*e, key)) {
          s += Join({"    ", c.kernel->source(), " ", c.usable, " ", c.verdict, "\n"});
        }
      }
    }
    for (const std::string& p : registry_.Problems()) s += p + "\n";
    return s;
  }

 private:
  Registry registry_;
  OperatorDef op_, twin_;
  std::array<KernelDef, 4> kernels_;
};

// What the state is for each set of things, registered in ascending order.
const std::map<unsigned, std::string>& StateOfSet() {
  static const auto states = [] {
    std::map<unsigned, std::string> all;
    for (unsigned set = 0; set < 1u << kThings; ++set) {
      Things t;
      for (int i = 0; i < kThings; ++i) {
        if (set >> i & 1) t.Add(i);
      }
      all[set] = t.State();
    }
    return all;
  }();
  return states;
}

TEST(PermutationTest, TheSetsDiffer) {
  std::map<std::string, int> counts;
  for (const auto& [set, state] : StateOfSet()) ++counts[state];
  // With one of the operators, or both: 12 sets of kernels that leave nothing to the fallback, and
  // 4, which lack a kernel for any dtype and a composite, with and without it. Without an
  // operator the 16 sets of kernels are as many sets of problems.
  EXPECT_EQ(counts.size(), 3u * (12 + 4 * 2) + 16);
}

TEST(PermutationTest, EveryOrderOfRegisteringAndDeregisteringGivesTheSameState) {
  std::array<int, kThings> order;
  std::iota(order.begin(), order.end(), 0);
  int n = 0;
  do {
    Things t;
    unsigned set = 0;
    for (int i : order) {
      t.Add(i);
      set |= 1u << i;
      // Looking in between resolves kernels, which the next registration has to undo.
      if (n % 8 == 0) {
        ASSERT_EQ(t.State(), StateOfSet().at(set));
      }
    }
    ASSERT_EQ(t.State(), StateOfSet().at(set));
    // Out again in an order that depends on this one but is another.
    for (int i = 0; i < kThings; ++i) {
      const int gone = order[static_cast<size_t>((i * 3 + n) % kThings)];
      t.Remove(gone);
      set &= ~(1u << gone);
      if (n % 8 == 0) {
        ASSERT_EQ(t.State(), StateOfSet().at(set));
      }
    }
    ASSERT_EQ(t.State(), StateOfSet().at(0));
    ++n;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(n, 5040);
}

TEST(PermutationTest, EveryOrderOfDeregisteringGivesTheSameState) {
  std::array<int, kThings> order;
  std::iota(order.begin(), order.end(), 0);
  do {
    Things t;
    for (int i = 0; i < kThings; ++i) t.Add(i);
    unsigned set = (1u << kThings) - 1;
    for (int i : order) {
      t.Remove(i);
      set &= ~(1u << i);
      ASSERT_EQ(t.State(), StateOfSet().at(set));
    }
    for (int i : order) t.Add(i);
    ASSERT_EQ(t.State(), StateOfSet().at((1u << kThings) - 1));
  } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace
}  // namespace sy
