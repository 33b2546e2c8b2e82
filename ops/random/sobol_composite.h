// Directions of the Sobol sequence.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_OPS_RANDOM_SOBOL_COMPOSITE_H_
#define SWITCHYARD_OPS_RANDOM_SOBOL_COMPOSITE_H_

#include <cstdint>

namespace sy {

inline constexpr int kSobolBits = 30;
inline constexpr int64_t kMostSobolDimensions = 1111;

// As bits; sobol_numbers_composite.cc says which.
inline constexpr int kSobolWords = 1153;
extern const uint64_t kSobolNumbers[kSobolWords];

// For each dimension kSobolBits directions. dimensions: at most kMostSobolDimensions.
void SobolDirections(int64_t dimensions, int64_t* directions);

}  // namespace sy

#endif  // SWITCHYARD_OPS_RANDOM_SOBOL_COMPOSITE_H_
