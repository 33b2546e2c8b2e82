#include "backends/cuda/kernels/walk.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace sy::cuda {

Walk::Walk(IntSpan shape) : rank(static_cast<int>(shape.size())) {
  std::reverse_copy(shape.begin(), shape.end(), sizes);
}

void Walk::Add(const Tensor& t, int64_t item) {
  Operand& o = operands[num_operands++];
  o.data = static_cast<char*>(t.data());
  o.item = item;
  const int own = static_cast<int>(t.dim());
  for (int d = 0; d < rank; ++d) {
    const int at = own - 1 - d;
    const bool moves = at >= 0 && t.sizes()[static_cast<size_t>(at)] != 1;
    o.strides[d] = moves ? t.strides()[static_cast<size_t>(at)] * item : 0;
  }
}

void Walk::AddNumber() {
  Operand& o = operands[num_operands++];
  o.data = nullptr;
  o.item = 0;
  std::fill_n(o.strides, rank, 0);
}

void Walk::Add(void* data, int64_t item, IntSpan strides) {
  Operand& o = operands[num_operands++];
  o.data = static_cast<char*>(data);
  o.item = item;
  std::reverse_copy(strides.begin(), strides.end(), o.strides);
}

int64_t Walk::numel() const {
  int64_t n = 1;
  for (int d = 0; d < rank; ++d) n *= sizes[d];
  return n;
}

void Walk::SimplifyRange(int first) {
  const auto move = [&](int from, int to) {
    sizes[to] = sizes[from];
    for (int k = 0; k < num_operands; ++k) operands[k].strides[to] = operands[k].strides[from];
  };
  int end = first;
  for (int d = first; d < rank; ++d) {
    if (sizes[d] != 1) move(d, end++);
  }
  // The first operand that tells two dimensions apart decides.
  const auto inside = [&](int d, int e) {
    for (int k = 0; k < num_operands; ++k) {
      const int64_t a = operands[k].strides[d], b = operands[k].strides[e];
      if (a != b && a != 0 && b != 0) return a < b;
    }
    return false;
  };
  for (int i = first + 1; i < end; ++i) {
    for (int d = i; d > first && inside(d, d - 1); --d) {
      std::swap(sizes[d], sizes[d - 1]);
      for (int k = 0; k < num_operands; ++k)
        std::swap(operands[k].strides[d], operands[k].strides[d - 1]);
    }
  }
  int last = first;
  for (int d = first + 1; d < end; ++d) {
    bool goes_on = true;
    for (int k = 0; k < num_operands; ++k)
      goes_on &= operands[k].strides[d] == operands[k].strides[last] * sizes[last];
    if (goes_on) {
      sizes[last] *= sizes[d];
    } else {
      move(d, ++last);
    }
  }
  rank = end == first ? first : last + 1;
  if (rank != 0) return;
  rank = 1;
  sizes[0] = 1;
  for (int k = 0; k < num_operands; ++k) operands[k].strides[0] = operands[k].item;
}

bool Walk::is_narrow() const {
  constexpr int64_t kMost = INT32_MAX;
  if (numel() > kMost) return false;
  for (int k = 0; k < num_operands; ++k) {
    int64_t span = 0;
    for (int d = 0; d < rank; ++d) span += (sizes[d] - 1) * operands[k].strides[d];
    if (span > kMost) return false;
  }
  return true;
}

Layout ChooseLayout(const Walk& w) {
  Layout layout{};
  layout.wide = !w.is_narrow();
  layout.flat = w.rank == 1;
  int64_t widest = 1;
  bool regular = true;  // every operand is kFull, kSame or a number, the output kFull
  for (int k = 0; k < w.num_operands; ++k) {
    const Walk::Operand& o = w.operands[k];
    HostLie& lie = layout.lies[k];
    lie = o.data == nullptr             ? HostLie::kNumber
          : o.strides[0] == o.item      ? HostLie::kFull
          : o.strides[0] == 0 && k != 0 ? HostLie::kSame
                                        : HostLie::kStrided;
    if (lie == HostLie::kFull) widest = std::max(widest, o.item);
    regular &= lie != HostLie::kStrided;
  }
  layout.flat &= regular;
  layout.each = 1;
  if (!regular) return layout;
  const auto lies_at = [](uint64_t place, int64_t unit) {  // unit: a power of two
    return (place & static_cast<uint64_t>(unit - 1)) == 0;
  };
  const int64_t each = 16 >> std::countr_zero(static_cast<uint64_t>(widest));
  if (!layout.flat && !lies_at(static_cast<uint64_t>(w.sizes[0]), each)) return layout;
  for (int k = 0; k < w.num_operands; ++k) {
    if (layout.lies[k] != HostLie::kFull) continue;
    const Walk::Operand& o = w.operands[k];
    const int64_t pack = each * o.item;
    if (!lies_at(reinterpret_cast<uintptr_t>(o.data), pack)) return layout;
    for (int d = 1; d < w.rank; ++d) {
      if (!lies_at(static_cast<uint64_t>(o.strides[d]), pack)) return layout;
    }
  }
  layout.each = static_cast<int>(each);
  return layout;
}

int TurnedDim(const Walk& w) {
  constexpr int64_t kLeast =
      16;  // below, a side moves too little at once for a tile to be worth it
  const Walk::Operand &to = w.operands[0], &from = w.operands[1];
  if (to.strides[0] != to.item || from.strides[0] <= from.item || w.sizes[0] < kLeast) return 0;
  for (int d = 1; d < w.rank; ++d) {
    if (from.strides[d] == from.item && w.sizes[d] >= kLeast) return d;
  }
  return 0;
}

Divider DividerOf(int64_t divisor) {
  const auto d = static_cast<uint64_t>(divisor);
  const int shift = std::bit_width(d - 1);
  const uint64_t magic = ((uint64_t{1} << 32) * ((uint64_t{1} << shift) - d)) / d + 1;
  return {static_cast<unsigned>(d), static_cast<unsigned>(magic), static_cast<unsigned>(shift)};
}

void FillSpace(const Walk& w, const Layout& layout, Space& space) {
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
