#include "examples/train/digits.h"

#include "switchyard/core/generator.h"
#include "switchyard/ops.h"

namespace train {

using sy::Tensor;

namespace {

constexpr int kRows = 7, kColumns = 5, kScale = 2;

// Digits of 7 rows of 5 points.
constexpr const char* kFont[10] = {
    ".###.#...##..###.#.###..##...#.###.", "..#...##....#....#....#....#...###.",
    ".###.#...#....#...#...#...#...#####", "#####...#...#.....#.....##...#.###.",
    "...#...##..#.#.#..#.#####...#....#.", "######....####.....#....##...#.###.",
    "..##..#...#....####.#...##...#.###.", "#####....#...#...#...#....#....#...",
    ".###.#...##...#.###.#...##...#.###.", ".###.#...##...#.####....#...#..##..",
};

// [10, rows, columns] of a picture, 0 and 1.
Tensor Glyphs() {
  const Tensor glyphs = sy::zeros({10, kRows * kScale, kColumns * kScale});
  const auto at = glyphs.accessor<float, 3>();
  for (int digit = 0; digit < 10; ++digit) {
    for (int y = 0; y < kRows * kScale; ++y) {
      for (int x = 0; x < kColumns * kScale; ++x)
        at[digit][y][x] = kFont[digit][y / kScale * kColumns + x / kScale] == '#' ? 1 : 0;
    }
  }
  return glyphs;
}

}  // namespace

Digits DrawDigits(int64_t n, uint64_t seed) {
  const Tensor glyphs = Glyphs();
  const int64_t height = glyphs.size(1), width = glyphs.size(2);
  sy::manual_seed(seed);
  const Tensor labels = sy::randint(10, {n});
  const Tensor left = sy::randint(kSide - width + 1, {n});
  const Tensor top = sy::randint(kSide - height + 1, {n});
  const Tensor ink = sy::add(sy::mul(sy::rand({n, 1, 1}), 0.5), 0.5);
  const Tensor images = sy::mul(sy::randn({n, 1, kSide, kSide}), 0.3);
  const Tensor inked = sy::mul(sy::index_select(glyphs, 0, labels), ink);
  for (int64_t i = 0; i < n; ++i) {
    const Tensor row =
        sy::narrow(sy::select(sy::select(images, 0, i), 0, 0), 0, top.data<int64_t>()[i], height);
    sy::add_(sy::narrow(row, 1, left.data<int64_t>()[i], width), sy::select(inked, 0, i));
  }
  return {images, labels};
}

}  // namespace train
