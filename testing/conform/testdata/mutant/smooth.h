// The right kernel of mutant::smooth: each element times `by`.
#ifndef TESTING_CONFORM_TESTDATA_MUTANT_SMOOTH_H_
#define TESTING_CONFORM_TESTDATA_MUTANT_SMOOTH_H_

#include "switchyard/c/plugin.hpp"

namespace mutant {

inline void Smooth(sy::abi::Call, sy::abi::Tensor out, sy::abi::Tensor x, double by) {
  sy::abi::ForEach(
      [&](int64_t o, int64_t i) { sy::abi::Store(out, o, sy::abi::Load<double>(x, i) * by); }, out,
      x);
}

}  // namespace mutant

#endif  // TESTING_CONFORM_TESTDATA_MUTANT_SMOOTH_H_
