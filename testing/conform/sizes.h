// Sizes at random that belong together: operands that broadcast, matrices that can be multiplied,
// an image with its filters, a table with positions in it.
//
//   const SizePlan p = PlanSizes(Family::kMatrices, Extents::kOrdinary, random);
//   p.SizesOf(1)        [k, m], where SizesOf(0) is [n, k]
//
// Which family an operator takes nobody tells: the host is asked with all of them.
// Owns: nothing. Threads: any. Errors: none.
#ifndef TESTING_CONFORM_SIZES_H_
#define TESTING_CONFORM_SIZES_H_

#include <span>
#include <vector>

#include "testing/conform/random_choice.h"

namespace sy::conform {

using Sizes = std::vector<int64_t>;

enum class Family : uint8_t {
  kAlike,     // all broadcast to the first
  kMatrices,  // [n, k], [k, m], with what is added before them, batched or with vectors
  kLinear,    // […, k], [m, k], [m]
  kImages,    // [N, C, spatial…], filters, bias: convolutions and pools
  kChannels,  // [N, C, …], then [C]
  kTrailing,  // anything, then the sizes of its last dimensions
  kIndexed,   // anything, positions along one dimension, one slice for each
  kGathered,  // anything, positions with as many dimensions, as much again
  kTable,     // [n, d], positions of rows
  kSquare,    // […, n, n], […, n, m]
  kApart,     // each by itself
};
inline constexpr int kNumFamilies = 11;

// kOrdinary: 1 … 5 of everything. kEdge: also none of something, no dimensions, and one of 1027.
// kHuge: the same with a dimension past 16 bits, or past 32 of tensors without elements: for
// operators whose result is no larger than that.
enum class Extents : uint8_t { kOrdinary, kEdge, kHuge };

struct SizePlan {
  std::vector<Sizes> tensors;  // by position among the tensors; the last one repeats
  int64_t dim = 0;             // of the first, where one is special; 0 for 0-dim
  int64_t below = 1;           // positions are 0 … below - 1
  int64_t groups = 1;
  int64_t spatial = 0;  // dimensions of an image; 0: it is none
  bool transposed = false;
  Sizes trailing;  // the last sizes of the first

  const Sizes& SizesOf(size_t tensor) const {
    return tensors[tensor < tensors.size() ? tensor : tensors.size() - 1];
  }
};

SizePlan PlanSizes(Family family, Extents extents, Random& random);

}  // namespace sy::conform

#endif  // TESTING_CONFORM_SIZES_H_
