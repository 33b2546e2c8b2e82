// A plugin of right kernels in which one thing at a time is wrong: what the environment variable
// MUTANT names. Each Is("…") is one fault; faults.h beside the test lists them all.
//
// Kernels are as short as they can be, not fast.
// Owns: nothing. Threads: any. Errors: as plugin.hpp's.
#ifndef TESTING_CONFORM_TESTDATA_MUTANT_MUTANT_H_
#define TESTING_CONFORM_TESTDATA_MUTANT_MUTANT_H_

#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "switchyard/c/plugin.hpp"

namespace mutant {

using namespace sy::abi;

inline bool Is(std::string_view fault) {
  static const char* const wanted = std::getenv("MUTANT");
  return wanted != nullptr && fault == wanted;
}

using Position = std::vector<int64_t>;

// Calls f(position), for every one there is in these sizes, row-major.
template <class F>
void ForEachPosition(Span<const int64_t> sizes, F f) {
  for (const int64_t n : sizes) {
    if (n == 0) return;
  }
  Position at(sizes.size());
  while (true) {
    f(static_cast<const Position&>(at));
    size_t d = at.size();
    while (d > 0 && ++at[d - 1] == sizes[d - 1]) at[--d] = 0;
    if (d == 0) return;
  }
}
// Where the element is, of a tensor that is broadcast to as many dimensions.
inline int64_t Offset(Tensor t, const Position& at) {
  int64_t offset = 0;
  const int64_t missing = static_cast<int64_t>(at.size()) - t.dim();
  for (int64_t d = 0; d < t.dim(); ++d)
    offset += t.size(d) == 1 ? 0 : at[static_cast<size_t>(d + missing)] * t.stride(d);
  return offset;
}
template <class T>
T Get(Tensor t, const Position& at) {
  return Load<T>(t, Offset(t, at));
}
template <class T>
void Set(Tensor t, const Position& at, T value) {
  Store(t, Offset(t, at), value);
}
// dim of x, counted from the front.
inline size_t Wrap(Tensor x, int64_t dim) {
  return static_cast<size_t>(dim < 0 ? dim + std::max<int64_t>(x.dim(), 1) : dim);
}
// f(std::type_identity<T>()) for the type to compute in.
template <class F>
void VisitType(Call call, F f) {
  Visit<int64_t, float, double>(call.dtype(), f);
}

constexpr uint64_t kFloats = SY_BIT(SY_FLOAT32) | SY_BIT(SY_FLOAT64);
constexpr uint64_t kTypes = kFloats | SY_BIT(SY_INT64);

// By file.
extern const std::span<const SyKernelDef> kElementwise, kReductions, kMatrices, kPositions, kOwn;
extern const std::span<const SyOperatorDef> kOperators;

}  // namespace mutant

#endif  // TESTING_CONFORM_TESTDATA_MUTANT_MUTANT_H_
