// The product of two operands of einsum, in common dimensions, summed over what no other needs: one
// batched matrix product.
//
// Owns: nothing. Threads: any.
// Errors: those of bmm.
#ifndef SWITCHYARD_OPS_LINALG_EINSUM_PAIR_COMPOSITE_H_
#define SWITCHYARD_OPS_LINALG_EINSUM_PAIR_COMPOSITE_H_

#include <algorithm>
#include <utility>
#include <vector>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace internal {

using Dims = std::vector<int64_t>;

inline Dims Joined(const Dims& a, const Dims& b, const Dims& c, const Dims& d) {
  Dims all = a;
  for (const Dims* part : {&b, &c, &d}) all.insert(all.end(), part->begin(), part->end());
  return all;
}
inline int64_t SizeOver(const Tensor& t, const Dims& dims) {
  int64_t n = 1;
  for (const int64_t d : dims) n *= t.size(d);
  return n;
}

// Whether the last dimension that only one of them has is a's: then a is better the right side of
// the matrix product, which leaves the result in the output's order.
inline bool HasLast(const Tensor& a, const Tensor& b, const Dims& over) {
  for (int64_t d = a.dim() - 1; d >= 0; --d) {
    if (std::find(over.begin(), over.end(), d) != over.end()) continue;
    if (a.size(d) == 1 || b.size(d) == 1) return a.size(d) != 1;
  }
  return false;
}

// over: dimensions that both have.
inline Tensor SumOfProducts(const Tensor& a, const Tensor& b, const Dims& over) {
  Dims both, only_a, only_b;
  size_t next = 0;
  for (int64_t d = 0; d < a.dim(); ++d) {
    if (next < over.size() && over[next] == d) {
      ++next;
    } else if (a.size(d) != 1) {
      (b.size(d) != 1 ? both : only_a).push_back(d);
    } else {
      only_b.push_back(d);
    }
  }
  const int64_t batch = SizeOver(a, both), rows = SizeOver(a, only_a),
                columns = SizeOver(b, only_b), inner = SizeOver(a, over);
  const Tensor left = reshape(permute(a, Joined(both, only_a, over, only_b)), {batch, rows, inner});
  const Tensor right =
      reshape(permute(b, Joined(both, over, only_b, only_a)), {batch, inner, columns});
  // The dimensions in the order of the product, and back.
  const Dims order = Joined(both, only_a, over, only_b);
  Dims sizes, back(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    const int64_t d = order[i];
    const bool is_summed =
        i >= both.size() + only_a.size() && i < both.size() + only_a.size() + over.size();
    sizes.push_back(is_summed ? 1 : a.size(d) != 1 ? a.size(d) : b.size(d));
    back[static_cast<size_t>(d)] = static_cast<int64_t>(i);
  }
  return permute(view(bmm(left, right), sizes), back);
}

}  // namespace internal

// summed: the dimensions that the output has not, ascending and last; counts: in how many operands
// that are left each dimension is larger than 1, which is brought up to date.
inline Tensor ContractPair(Tensor a, Tensor b, const std::vector<int64_t>& summed,
                           std::vector<int>& counts) {
  internal::Dims of_a, of_b, over;
  for (const int64_t d : summed) {
    int& count = counts[static_cast<size_t>(d)];
    const bool in_a = a.size(d) != 1, in_b = b.size(d) != 1;
    if (in_a && in_b) --count;  // one operand is left of two
    if (count != 1 || !(in_a || in_b)) continue;
    (in_a && in_b ? over : in_a ? of_a : of_b).push_back(d);
    count = 0;
  }
  if (!of_a.empty()) a = sum(a, of_a, true);
  if (!of_b.empty()) b = sum(b, of_b, true);
  if (over.empty()) return mul(a, b);
  if (internal::HasLast(a, b, over)) std::swap(a, b);
  return internal::SumOfProducts(a, b, over);
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_LINALG_EINSUM_PAIR_COMPOSITE_H_
