#include "backends/cuda/plan/reduce_plan.h"

#include <algorithm>

#include "backends/cuda/plan/kernel_source.h"
#include "backends/cuda/plan/types.h"
#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {

ReduceShape ChooseReduceShape(int64_t outputs, int64_t count, bool across, int64_t threads) {
  ReduceShape shape{};
  shape.lanes = (across && outputs >= 32) || count <= 8 ? 1 : count <= 512 ? 32 : 256;
  const int64_t running = outputs * shape.lanes;
  // A chunk is worth starting from some elements for each of its threads.
  constexpr int64_t kLeast = 16, kMostChunks = 1024;
  // As many as run at once, and none that would wait for all others to end.
  const int64_t wanted = threads / std::max<int64_t>(1, running);
  const int64_t sensible = count / (kLeast * shape.lanes);
  shape.chunks = std::clamp<int64_t>(std::min(wanted, sensible), 1, kMostChunks);
  return shape;
}

int SideBySide(const ReduceSpaces& w, int lanes) {
  if (w.reduced.rank != 1) return 0;
  const IndexSpace::Operand& in = w.reduced.operands[0];
  if (lanes == 1 || in.strides[0] != in.item) return 1;
  const auto fits = [&](int64_t each) {
    const int64_t bytes = each * in.item;
    bool fits = w.reduced.sizes[0] % each == 0 &&
                reinterpret_cast<uintptr_t>(in.data) % static_cast<uint64_t>(bytes) == 0;
    for (int d = 0; d < w.kept.rank && w.kept.numel() > 1; ++d)
      fits &= w.kept.operands[0].strides[d] % bytes == 0;
    return fits;
  };
  int64_t each = 16 / in.item;
  while (each > 1 && !fits(each)) each /= 2;
  return static_cast<int>(each);
}

ReduceSpaces SpacesOf(const Tensor& self, uint64_t mask, const Tensor* first,
                      const Tensor* second) {
  const Tensor* const outputs[] = {first, second};
  const ReduceSpace space(self, mask, outputs, /*positions=*/true);
  ReduceSpaces spaces{space.Kept(), space.Reduced()};
  spaces.kept.num_operands = 3;
  spaces.reduced.operands[1] = spaces.reduced.operands[3];
  spaces.reduced.num_operands = 2;
  return spaces;
}

namespace {

// The dtype in which values of `d` are reduced.
DType AccumulatesIn(const Reduction& r, DType d) {
  if (IsIntegral(d, true) && Contains(r.widened, d)) return DType::kInt64;
  if (Contains(kFloat8Types, d)) return DType::kFloat32;
  return d == DType::kComplex32 ? DType::kComplex64 : d;
}

// In device/reduce.h.
const char* FinishName(ReduceFinish::Kind kind) {
  switch (kind) {
    case ReduceFinish::kMean:
      return "Mean";
    case ReduceFinish::kSquareRoot:
      return "SquareRoot";
    case ReduceFinish::kRoot:
      return "Root";
    case ReduceFinish::kVariance:
      return "Variance";
    case ReduceFinish::kDeviation:
      return "Deviation";
    default:
      return "NoFinish";
  }
}

}  // namespace

std::string ReduceSource(const Reduction& r, ReduceFinish::Kind finish, DType dtype, DType in,
                         DType first, DType second, const ReduceForm& form) {
  const std::string common =
      fmt::format("{}, {}, Operand<0, kStrided, {}, {}, {}>, {}, {}, ", r.type, FinishName(finish),
                  ElementName(in), ElementName(dtype), ElementName(AccumulatesIn(r, dtype)),
                  ElementName(first), ElementName(second));
  const char* index = form.wide ? "UInt64" : "unsigned";
  const std::string body =
      form.states ? fmt::format("ReduceStates<{}{}, {}>(args)", common, form.lanes, index)
                  : fmt::format("Reduce<{}{}, {}, {}>(args)", common, form.lanes, form.each, index);
  return KernelSource("reduce", "ReduceArgs", body);
}

}  // namespace sy::cuda
