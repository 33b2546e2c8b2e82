#include "testing/conform/sizes.h"

#include <algorithm>

namespace sy::conform {
namespace {

// kLong: where two tensors with such a size may give a result with two.
constexpr int64_t kPast16Bits = 70'001, kPast32Bits = int64_t{1} << 40, kLong = 1027;

class Planner {
 public:
  Planner(Extents extents, Random& random)
      : edge_(extents != Extents::kOrdinary),
        most_(extents == Extents::kHuge ? kPast16Bits : kLong),
        random_(random) {}

  SizePlan Plan(Family family) {
    switch (family) {
      case Family::kAlike:
        Alike();
        break;
      case Family::kMatrices:
        Matrices();
        break;
      case Family::kLinear:
        Linear();
        break;
      case Family::kImages:
        Images();
        break;
      case Family::kChannels:
        Channels();
        break;
      case Family::kTrailing:
        Trailing();
        break;
      case Family::kIndexed:
        Indexed();
        break;
      case Family::kGathered:
        Gathered();
        break;
      case Family::kTable:
        Table();
        break;
      case Family::kSquare:
        Square();
        break;
      case Family::kApart:
        for (int i = 0; i < 4; ++i) plan_.tensors.push_back(Any(0, 4));
        break;
    }
    if (plan_.trailing.empty()) plan_.trailing = Last(plan_.tensors[0]);
    return std::move(plan_);
  }

 private:
  int64_t Size() {
    if (!edge_) return random_.Between(1, 5);
    if (!huge_ && random_.OneIn(60)) return huge_ = true, most_;
    return random_.Pick<int64_t>({0, 0, 1, 1, 2, 3});
  }
  Sizes Any(int64_t least_rank, int64_t most_rank) {
    Sizes sizes(static_cast<size_t>(random_.Between(edge_ ? 0 : least_rank, most_rank)));
    for (int64_t& n : sizes) n = Size();
    if (huge_) {  // a million elements are tried elsewhere
      for (int64_t& n : sizes) n = n == most_ ? n : std::min<int64_t>(n, 1);
    }
    return sizes;
  }
  Sizes Last(const Sizes& sizes) {
    if (sizes.empty()) return {};
    return Sizes(sizes.end() - random_.Between(1, std::min<int64_t>(2, std::ssize(sizes))),
                 sizes.end());
  }
  void ChooseDim(const Sizes& sizes) {
    plan_.dim = sizes.empty() ? 0 : random_.Between(0, std::ssize(sizes) - 1);
  }
  // What broadcasts to `full`.
  Sizes Broadcast(Sizes full) {
    if (random_.OneIn(3))
      full.erase(full.begin(), full.begin() + random_.Between(0, std::ssize(full)));
    for (int64_t& n : full) n = random_.OneIn(6) ? 1 : n;
    return full;
  }

  void Alike() {
    Sizes all = Any(0, 5);
    if (most_ == kPast16Bits && edge_ && random_.OneIn(12)) {
      plan_.tensors = {random_.Pick<Sizes>({{0, kPast32Bits}, {kPast32Bits, 0}})};
      return ChooseDim(plan_.tensors[0]);
    }
    ChooseDim(all);
    plan_.tensors.push_back(all);
    for (int i = 0; i < 4; ++i) plan_.tensors.push_back(random_.OneIn(2) ? all : Broadcast(all));
    if (random_.OneIn(6)) std::swap(plan_.tensors[0], plan_.tensors[1]);
  }
  void Matrices() {
    most_ = kLong;
    const int64_t n = Size(), k = Size(), m = Size();
    const Sizes batch = random_.OneIn(2) ? Sizes{} : Sizes{Size()};
    const auto batched = [&](Sizes s) {
      s.insert(s.begin(), batch.begin(), batch.end());
      return s;
    };
    Sizes left = batched({n, k}), right = batched({k, m}), sum = batched({n, m});
    if (random_.OneIn(4)) right = {k}, sum = {n}, left = {n, k};
    if (random_.OneIn(6)) left = {k}, right = {k}, sum = {};
    switch (random_.Between(0, 2)) {
      case 0:
        plan_.tensors = {left, right};
        break;
      case 1:
        plan_.tensors = {random_.OneIn(3) ? Broadcast(sum) : sum, left, right};
        break;
      default:
        plan_.tensors = {{n, m}, {n}, {m}};
    }
  }
  void Linear() {
    most_ = kLong;
    const int64_t k = Size(), m = Size();
    Sizes x = Any(0, 3);
    x.push_back(k);
    plan_.tensors = {x, {m, k}, {m}};
  }
  void Images() {
    plan_.spatial = random_.Pick<int64_t>({1, 2, 2, 2, 3});
    plan_.groups = random_.OneIn(3) ? 2 : 1;
    plan_.transposed = random_.OneIn(4);
    const int64_t c = plan_.groups * random_.Between(1, 2),
                  o = plan_.groups * random_.Between(1, 2);
    Sizes image = {edge_ ? random_.Between(0, 1) : random_.Between(1, 2), c},
          filter = {o, c / plan_.groups};
    if (plan_.transposed) filter = {c, o / plan_.groups};
    for (int64_t i = 0; i < plan_.spatial; ++i) {
      image.push_back(random_.Between(edge_ ? 1 : 4, 7));
      filter.push_back(random_.Between(1, 3));
    }
    plan_.tensors = {image, filter, {o}};
  }
  void Channels() {
    most_ = kLong;
    Sizes x = Any(2, 4);
    while (x.size() < 2) x.push_back(Size());
    plan_.dim = 1;
    plan_.groups = x[1] % 2 == 0 && random_.OneIn(2) ? 2 : 1;
    plan_.tensors = {x, {x[1]}};
  }
  void Trailing() {
    const Sizes x = Any(1, 4);
    plan_.trailing = Last(x);
    plan_.tensors = {x, plan_.trailing};
  }
  void Indexed() {
    const Sizes x = Any(1, 4);
    ChooseDim(x);
    const size_t dim = static_cast<size_t>(plan_.dim);
    plan_.below = x.empty() ? 1 : x[dim];
    const int64_t picked =
        random_.Between(edge_ ? 0 : 1, std::max<int64_t>(1, std::min<int64_t>(plan_.below, 5)));
    Sizes slices = x;
    if (!slices.empty()) slices[dim] = picked;
    plan_.tensors = {x, {picked}, slices};
  }
  void Gathered() {
    const Sizes x = Any(1, 4);
    ChooseDim(x);
    plan_.below = x.empty() ? 1 : x[static_cast<size_t>(plan_.dim)];
    Sizes index = x;
    for (int64_t& n : index) n = random_.Between(n == 0 || edge_ ? 0 : 1, n);
    plan_.tensors = {x, index, index};
  }
  void Table() {
    most_ = kLong;
    const int64_t rows = Size(), width = Size();
    plan_.below = rows;
    plan_.tensors = {{rows, width}, Any(0, 3)};
  }
  void Square() {
    most_ = kLong;
    const Sizes batch = random_.OneIn(2) ? Sizes{} : Sizes{Size()};
    const int64_t n = std::min<int64_t>(Size(), 5);
    Sizes square = batch, right = batch;
    square.insert(square.end(), {n, n});
    right.insert(right.end(), {n, Size()});
    plan_.tensors = {square, right};
  }

  const bool edge_;
  int64_t most_;
  Random& random_;
  bool huge_ = false;  // one such size is enough
  SizePlan plan_;
};

}  // namespace

SizePlan PlanSizes(Family family, Extents extents, Random& random) {
  return Planner(extents, random).Plan(family);
}

}  // namespace sy::conform
