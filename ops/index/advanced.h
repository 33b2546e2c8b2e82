// Which elements of a tensor integer indices name: what index and index_put share.
//
//   const AdvancedIndex at(op, self, indices);   // x[i, :, j]: indices of dims 0 and 2
//   at.sizes();                                  // of the result
//
// Indices broadcast to common sizes, which take the place of the dimensions they name; where those
// are not neighbours, they come first. Masks are turned into indices before (WithoutMasks).
// Owns: nothing; `indices` must outlive it.
// Threads: any.
// Errors: kInvalidArgument, kOutOfRange naming `op`.
#ifndef SWITCHYARD_OPS_INDEX_ADVANCED_H_
#define SWITCHYARD_OPS_INDEX_ADVANCED_H_

#include <functional>
#include <string_view>
#include <vector>

#include "switchyard/core/tensor.h"

namespace sy {

inline bool IsMask(const TensorBase& t) {
  return t.dtype() == DType::kBool || t.dtype() == DType::kUInt8;
}
inline bool HasMask(TensorList indices) {
  for (const Tensor& t : indices) {
    if (t.defined() && IsMask(t)) return true;
  }
  return false;
}
// A mask must have the sizes of the dimensions that it stands for, `dim` being the first.
SY_API void RequireMaskFits(std::string_view op, const TensorBase& self, const TensorBase& mask,
                            int64_t dim);
// `indices` with each mask as the indices of the dimensions that it stands for. places: a mask's
// [dims, n] of int64, contiguous.
SY_API std::vector<Tensor> WithoutMasks(std::string_view op, const TensorBase& self,
                                        TensorList indices,
                                        const std::function<Tensor(const Tensor&)>& places);
// t in these sizes, to which its own expand.
SY_API Tensor ExpandedTo(const Tensor& t, IntSpan sizes);

class SY_API AdvancedIndex {
 public:
  AdvancedIndex(std::string_view op, const TensorBase& self, TensorList indices);

  // self's dimensions in the order in which the result has them, the indexed ones together: `first`
  // others come before them.
  const std::vector<int64_t>& order() const { return order_; }
  int64_t first() const { return first_; }
  // Common sizes of the indices.
  const std::vector<int64_t>& common() const { return common_; }
  const std::vector<int64_t>& sizes() const { return sizes_; }
  // Of the common sizes.
  int64_t count() const;
  // self with its indexed dimensions as one, at first(), of `extent` elements that are neighbours
  // in memory: the places that indices name in it are offsets.
  Tensor Moved(const Tensor& self, int64_t extent) const;
  // t, of the result's sizes, with the indices' dimensions as one, at first(); undefined where
  // these do not lie in memory like one.
  Tensor Joined(const Tensor& t) const;
  // How the result lies: as self and the indices do.
  std::vector<int64_t> Strides(const TensorBase& self, TensorList indices) const;

 private:
  template <class F>
  Tensor WithOneDim(const Tensor& t, int64_t size, int64_t stride, F other) const;

  std::vector<int64_t> order_, common_, sizes_;
  int64_t first_ = 0, num_indexed_ = 0;
};

}  // namespace sy

#endif  // SWITCHYARD_OPS_INDEX_ADVANCED_H_
