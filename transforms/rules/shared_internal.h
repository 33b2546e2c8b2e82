// What batching rules share.
#ifndef TRANSFORMS_RULES_SHARED_INTERNAL_H_
#define TRANSFORMS_RULES_SHARED_INTERNAL_H_

#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/core/tensor.h"
#include "switchyard/core/value.h"
#include "switchyard/ops.h"
#include "switchyard/transforms/batching.h"

namespace sy::transforms {

inline std::vector<int64_t> Joined(int64_t first, IntSpan rest) {
  std::vector<int64_t> all = {first};
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

inline std::vector<int64_t> Joined(IntSpan first, int64_t last) {
  std::vector<int64_t> all(first.begin(), first.end());
  all.push_back(last);
  return all;
}

// Elements of an example.
inline int64_t RowSize(const Tensor& value) {
  int64_t n = 1;
  for (int64_t d = 1; d < value.dim(); ++d) n *= value.size(d);
  return n;
}

// A value [B, sizes] as [B, 1, …, sizes] of `rank` dimensions behind B.
inline Tensor WithRank(const Tensor& value, int64_t rank) {
  const int64_t missing = rank - (value.dim() - 1);
  if (missing <= 0) return value;
  std::vector<int64_t> sizes = {value.size(0)};
  sizes.resize(static_cast<size_t>(1 + missing), 1);
  sizes.insert(sizes.end(), value.sizes().begin() + 1, value.sizes().end());
  return view(value, sizes);
}

// The numbers 0 … n - 1, of `rank` dimensions of which the first is long.
inline Tensor Numbers(int64_t n, int64_t rank, const Tensor& like) {
  std::vector<int64_t> sizes(static_cast<size_t>(rank), 1);
  sizes[0] = n;
  return view(arange(n, DType::kInt64, std::nullopt, like.device()), sizes);
}

// Arguments of a call that is about to be made, and what they point to.
class NewArgs {
 public:
  explicit NewArgs(const BatchCall& c) : args_(c.args.begin(), c.args.end()) {}
  void Set(size_t i, const Tensor& t) { args_[i] = Value(tensors_.emplace_back(t)); }
  void Set(size_t i, std::vector<Tensor> list) {
    args_[i] = Value(lists_.emplace_back(std::move(list)));
  }
  void Set(size_t i, std::vector<int64_t> ints) {
    args_[i] = Value(ints_.emplace_back(std::move(ints)));
  }
  void Set(size_t i, int64_t n) { args_[i] = Value(n); }
  Value& operator[](size_t i) { return args_[i]; }
  size_t size() const { return args_.size(); }
  operator std::span<const Value>() const { return args_; }  // NOLINT: they are read as one

 private:
  std::vector<Value> args_;
  std::deque<Tensor> tensors_;
  std::deque<std::vector<Tensor>> lists_;
  std::deque<std::vector<int64_t>> ints_;
};

// d of `rank` dimensions, counted from the back: the same whatever stands in front. Errors:
// kOutOfRange.
inline int64_t FromBack(const BatchCall& c, int64_t d, int64_t rank) {
  const int64_t most = rank == 0 ? 1 : rank;
  if (d < -most || d >= most) {
    Fail(ErrorCode::kOutOfRange, c.op.name(),
         {"expected a dimension of ", -most, " … ", most - 1, ", got ", d});
  }
  return d < 0 ? d : d - most;
}

}  // namespace sy::transforms

#endif  // TRANSFORMS_RULES_SHARED_INTERNAL_H_
