#include "backends/cuda/engine/lines.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "backends/cuda/plan/layout.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {

Lines LinesOf(Call call, int64_t dim, const Tensor& self, const Tensor& out, const Tensor* second) {
  Lines lines{};
  LineArgs& args = lines.args;
  args.in = self.data();
  args.out[0] = out.data();
  args.out[1] = second == nullptr ? nullptr : second->data();
  args.n = 1;
  const Tensor* tensors[] = {&out, second, &self};
  std::vector<int64_t> sizes, strides[3];
  for (size_t d = 0; d < self.sizes().size(); ++d) {
    int64_t step[3] = {};
    for (size_t k = 0; k < 3; ++k) {
      if (tensors[k] != nullptr)
        step[k] = tensors[k]->strides()[d] * static_cast<int64_t>(tensors[k]->itemsize());
    }
    if (static_cast<int64_t>(d) == dim) {
      args.n = self.sizes()[d];
      args.out_step[0] = step[0];
      args.out_step[1] = step[1];
      args.in_step = step[2];
      continue;
    }
    sizes.push_back(self.sizes()[d]);
    for (size_t k = 0; k < 3; ++k) strides[k].push_back(step[k]);
  }
  IndexSpace w(sizes);
  for (size_t k = 0; k < 3; ++k) {
    w.Add(tensors[k] == nullptr ? nullptr : tensors[k]->data(),
          tensors[k] == nullptr ? 0 : static_cast<int64_t>(tensors[k]->itemsize()), strides[k]);
  }
  w.Coalesce();
  RequireFewDims(call.op(), w);
  FillSpace(w, {.flat = false, .wide = true, .each = 1, .stride_kinds = {}}, args.space);
  constexpr int64_t kMany = 1 << 14;
  lines.beside = w.operands[2].strides[0] < args.in_step && args.space.n >= kMany;

  const long long steps[] = {args.out_step[0], args.out_step[1], args.in_step};
  const auto side_by_side = [&](int64_t each) {
    bool fits = args.n % each == 0;
    for (size_t k = 0; k < 3; ++k) {
      if (tensors[k] == nullptr) continue;
      const IndexSpace::Operand& o = w.operands[k];
      fits &= steps[k] == o.item &&
              reinterpret_cast<uintptr_t>(o.data) % static_cast<uint64_t>(each * o.item) == 0;
      for (int d = 0; d < w.rank && w.numel() > 1; ++d) fits &= o.strides[d] % (each * o.item) == 0;
    }
    return fits;
  };
  const size_t widest = std::max(self.itemsize(), out.itemsize());
  for (lines.each = static_cast<int>(16 / widest); lines.each > 1; lines.each /= 2) {
    if (side_by_side(lines.each)) break;
  }
  return lines;
}

int64_t PacksOf(int64_t n, int lanes, int each) {
  const int64_t of_all = int64_t{lanes} * each;
  return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>((n + of_all - 1) / of_all)));
}

Grid GridOf(int64_t lines, int lanes) {
  return lanes > 32 ? Grid{lines, lanes} : BlocksFor(lines * lanes);
}

Held HeldLines(int64_t n, int each) {
  const int most_packs = std::min(8, 32 / each);
  constexpr int kPacksOfWarp = 4;  // beyond, a block reads a line sooner
  if (n <= int64_t{kPacksOfWarp} * 32 * each) return {32, static_cast<int>(PacksOf(n, 32, each))};
  for (int lanes = kLineThreads; lanes <= 4 * kLineThreads; lanes *= 2) {
    const int64_t packs = PacksOf(n, lanes, each);
    if (packs <= most_packs) return {lanes, static_cast<int>(packs)};
  }
  return {kLineThreads, 0};
}

Bounds BoundsOf(const Held& held, int each) {
  if (held.lanes <= 32) return {kThreads, 0};
  // 32 elements take a thread some 64 to 80 registers, fewer some 48, of 65536 for all.
  if (held.lanes == kLineThreads) return {held.lanes, held.packs * each >= 32 ? 3 : 5};
  return {held.lanes, 4 * kLineThreads / held.lanes};
}

void RunLines(Call call, const LineFunction& function, int64_t dim, const Tensor& self,
              const Tensor& out, const Tensor* second) {
  if (out.numel() == 0) return;
  Lines lines = LinesOf(call, dim, self, out, second);
  LineArgs& args = lines.args;
  const bool one = function.one_lane || args.n <= kShortLine || lines.beside;
  const int lanes = one ? 1 : kLineThreads;
  KernelKey full = function.key;
  full.words[2] = static_cast<uint64_t>(lanes);
  Launch(
      call, full,
      [&] {
        return KernelSource(function.header, "LineArgs",
                            fmt::format("{}, {}>(args)", function.body, lanes));
      },
      GridOf(args.space.n, lanes), args);
}

}  // namespace sy::cuda
