// What roll copies: each dimension that moves is cut in two, and every part goes where it belongs.
//
//   ForEachRollPart(out, self, shifts, dims, [&](const RollPart& part) { … });
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_ROLL_H_
#define SWITCHYARD_BACKENDS_COMMON_ROLL_H_

#include <algorithm>

#include "switchyard/core/tensor.h"

namespace sy {

struct RollPart {
  IntSpan sizes;
  int64_t to, from;  // elements from the first of out, and of self, to the first of the part
};

// out and self: of the same sizes. dims: distinct, each with a shift of 0 … size - 1, as roll's
// shape function leaves them.
template <class F>
void ForEachRollPart(const Tensor& out, const Tensor& self, IntSpan shifts, IntSpan dims, F f) {
  size_t moved[kMaxRank], n = 0;  // which of dims
  for (size_t i = 0; i < dims.size(); ++i) {
    if (shifts[i] != 0) moved[n++] = i;
  }
  int64_t sizes[kMaxRank];
  for (uint64_t part = 0; part < uint64_t{1} << n; ++part) {
    std::copy(self.sizes().begin(), self.sizes().end(), sizes);
    RollPart p{{sizes, self.sizes().size()}, 0, 0};
    for (size_t k = 0; k < n; ++k) {
      const int64_t d = dims[moved[k]], shift = shifts[moved[k]];
      const int64_t end = self.sizes()[d] - shift;  // of the positions that go up
      if ((part >> k & 1) == 0) {
        sizes[d] = end;
        p.to += shift * out.strides()[d];
      } else {
        sizes[d] = shift;
        p.from += end * self.strides()[d];
      }
    }
    f(static_cast<const RollPart&>(p));
  }
}

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_ROLL_H_
