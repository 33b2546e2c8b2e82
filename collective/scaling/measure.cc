#include "switchyard/collective/scaling/measure.h"

#include <algorithm>
#include <functional>

#include "switchyard/collective/group.h"
#include "switchyard/collective/handles.h"
#include "switchyard/core/printing.h"

namespace sy::collective::scaling {
namespace {

using namespace handles;
using Clock = std::chrono::steady_clock;

constinit Handle<void(const Tensor&)> zero_{"zero_"};

class Timing {
 public:
  Timing(std::string group, std::chrono::duration<double> a_row)
      : group_(std::move(group)), a_row_(a_row), number_(Tensor::Empty({1}, DType::kFloat64)) {}

  double Of(const std::function<void()>& f) {
    constexpr size_t kLeast = 5;
    const auto begun = Clock::now();
    std::vector<double> rounds;
    while (true) {
      barrier(group_);
      const auto start = Clock::now();
      f();
      rounds.push_back(Max(std::chrono::duration<double>(Clock::now() - start).count()));
      // All stop together.
      const double since = Max(std::chrono::duration<double>(Clock::now() - begun).count());
      if (rounds.size() >= kLeast && since > a_row_.count()) break;
    }
    std::sort(rounds.begin(), rounds.end());
    return rounds[rounds.size() / 4];
  }

 private:
  double Max(double v) {
    *number_.data<double>() = v;
    all_reduce_(number_, "max", group_);
    return *number_.data<double>();
  }
  const std::string group_;
  const std::chrono::duration<double> a_row_;
  const Tensor number_;
};

Tensor Zeros(int64_t n) {
  Tensor t = Tensor::Empty({n}, DType::kFloat32);
  zero_(t);
  return t;
}

}  // namespace

std::vector<Row> Measure(const std::string& group, const std::vector<int64_t>& sizes,
                         std::chrono::duration<double> a_row) {
  const Group& g = GroupOf(group);
  const int k = SizeOf(g);
  Timing timing(group, a_row);
  std::vector<Row> rows;
  const auto add = [&](Collective c, int64_t bytes, const std::function<void()>& f) {
    rows.push_back({std::string(EngineOf(g)), k, c, static_cast<double>(bytes), timing.Of(f)});
  };
  add(Collective::kBarrier, 0, [&] { barrier(group); });
  for (const int64_t bytes : sizes) {
    const int64_t n = bytes / static_cast<int64_t>(sizeof(float)), part = n / k;
    const Tensor whole = Zeros(n);
    add(Collective::kAllReduce, bytes, [&] { all_reduce_(whole, "sum", group); });
    if (part == 0 || n % k != 0) continue;
    const Tensor other = Zeros(n), mine = Zeros(part);
    add(Collective::kReduceScatter, bytes,
        [&] { reduce_scatter_out(whole, "sum", k, group, mine); });
    add(Collective::kAllGather, bytes, [&] { all_gather_out(mine, k, group, other); });
    add(Collective::kAllToAll, bytes, [&] { all_to_all_(other, whole, {}, {}, group); });
    add(Collective::kBroadcast, bytes, [&] { broadcast_(whole, 0, group); });
  }
  return rows;
}

}  // namespace sy::collective::scaling
