#include "backends/cuda/plan/layout.h"

#include <algorithm>
#include <bit>

#include "switchyard/core/error.h"

namespace sy::cuda {

Layout ChooseLayout(const IndexSpace& w) {
  Layout layout{};
  layout.wide = !w.is_narrow();
  layout.flat = w.rank == 1;
  int64_t widest = 1;
  bool regular = true;  // every operand is kFull, kSame or a number, the output kFull
  for (int k = 0; k < w.num_operands; ++k) {
    const IndexSpace::Operand& o = w.operands[k];
    HostStrideKind& lie = layout.stride_kinds[k];
    lie = o.data == nullptr             ? HostStrideKind::kNumber
          : o.strides[0] == o.item      ? HostStrideKind::kFull
          : o.strides[0] == 0 && k != 0 ? HostStrideKind::kSame
                                        : HostStrideKind::kStrided;
    if (lie == HostStrideKind::kFull) widest = std::max(widest, o.item);
    regular &= lie != HostStrideKind::kStrided;
  }
  layout.flat &= regular;
  layout.each = 1;
  const auto has_rows = [&w](int64_t each) {
    constexpr int64_t kLeast = 128;  // threads that a row keeps busy
    return w.rank == 2 && w.sizes[0] / each >= kLeast;
  };
  layout.rows = has_rows(1);
  if (!regular) return layout;
  const auto lies_at = [](uint64_t place, int64_t unit) {  // unit: a power of two
    return (place & static_cast<uint64_t>(unit - 1)) == 0;
  };
  const int64_t each = 16 >> std::countr_zero(static_cast<uint64_t>(widest));
  if (!layout.flat && !lies_at(static_cast<uint64_t>(w.sizes[0]), each)) return layout;
  for (int k = 0; k < w.num_operands; ++k) {
    if (layout.stride_kinds[k] != HostStrideKind::kFull) continue;
    const IndexSpace::Operand& o = w.operands[k];
    const int64_t pack = each * o.item;
    if (!lies_at(reinterpret_cast<uintptr_t>(o.data), pack)) return layout;
    for (int d = 1; d < w.rank; ++d) {
      if (!lies_at(static_cast<uint64_t>(o.strides[d]), pack)) return layout;
    }
  }
  layout.each = static_cast<int>(each);
  layout.rows = has_rows(each);
  return layout;
}

int TransposedDim(const IndexSpace& w) {
  constexpr int64_t kLeast =
      16;  // below, a side moves too little at once for a tile to be worth it
  const IndexSpace::Operand &to = w.operands[0], &from = w.operands[1];
  if (to.strides[0] != to.item || from.strides[0] <= from.item || w.sizes[0] < kLeast) return 0;
  for (int d = 1; d < w.rank; ++d) {
    if (from.strides[d] == from.item && w.sizes[d] >= kLeast) return d;
  }
  return 0;
}

void RequireFewDims(std::string_view op, const IndexSpace& w) {
  if (w.rank <= kMaxDims) return;
  Fail(ErrorCode::kNotImplemented, op,
       {"more than ", kMaxDims, " dimensions that cannot be merged"});
}

Divider DividerOf(int64_t divisor) {
  const auto d = static_cast<uint64_t>(divisor);
  const int shift = std::bit_width(d - 1);
  const uint64_t magic = ((uint64_t{1} << 32) * ((uint64_t{1} << shift) - d)) / d + 1;
  return {static_cast<unsigned>(d), static_cast<unsigned>(magic), static_cast<unsigned>(shift)};
}

void FillSpace(const IndexSpace& w, const Layout& layout, Space& space) {
  space.rank = w.rank;
  space.n = w.numel() / layout.each;
  for (int d = 0; d < w.rank; ++d) {
    space.sizes[d] = d == 0 ? w.sizes[0] / layout.each : w.sizes[d];
    const bool divides = !layout.wide && space.sizes[d] > 0;
    space.dividers[d] = divides ? DividerOf(space.sizes[d]) : Divider{};
    for (int k = 0; k < w.num_operands; ++k)
      space.strides[k][d] = w.operands[k].strides[d] * (d == 0 ? layout.each : 1);
  }
}

}  // namespace sy::cuda
