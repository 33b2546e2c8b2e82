// Tensors as XNNPACK takes them: memory without gaps, and images with their channels together.
//
// Owns: nothing: copies are workspaces of the call.
// Threads: one call.
// Errors: Declined for what cannot be brought into such a form.
#ifndef XNNPACK_LAYOUT_H_
#define XNNPACK_LAYOUT_H_

#include "xnn.h"

namespace xnnpack {

// One side of a copy: memory, and how far it is from one element to the next along each dimension.
struct Strided {
  void* data;
  Span<const int64_t> strides;
};
// Elements of `bytes` (1, 2, 4, 8, 16) each, in the host's threads. At most 64 dimensions.
void CopyElements(Call call, Span<const int64_t> sizes, Strided to, Strided from, size_t bytes);

// Bytes of an element; Declined for dtypes of later versions.
size_t BytesOf(DType dtype);

// Whether a tensor's elements lie without gaps or overlaps, in any order of its dimensions.
bool IsDense(Tensor t);
// Whether element i of both lies at the same place.
bool LieAlike(Tensor a, Tensor b);

// [n, h, w, c] with the channels together: a tensor [n, c, h, w] or [c, h, w] of floats or bytes.
class Image {
 public:
  // An input: the tensor's own memory where it is channels-last, else a copy.
  static Image Of(Call call, Tensor t);
  // An output: the tensor's own memory, or one that Done copies into it.
  static Image For(Call call, Tensor t);
  void Done() const;

  size_t n() const { return static_cast<size_t>(sizes_[0]); }
  size_t h() const { return static_cast<size_t>(sizes_[1]); }
  size_t w() const { return static_cast<size_t>(sizes_[2]); }
  size_t c() const { return static_cast<size_t>(sizes_[3]); }
  int64_t numel() const { return sizes_[0] * sizes_[1] * sizes_[2] * sizes_[3]; }
  template <class T>
  T* data() const {
    return static_cast<T*>(data_);
  }

 private:
  Image(Call call, Tensor t);

  Call call_;
  Tensor tensor_;
  int64_t sizes_[4], strides_[4];  // of the tensor, as n, h, w, c
  int64_t dense_[4];               // strides without gaps
  bool own_;                       // the tensor's memory is used as it lies
  void* data_ = nullptr;
};

// Entry d of a list with one number, or one for each dimension.
inline int64_t Entry(Span<const int64_t> list, size_t d) {
  return list.size() == 1 ? list[0] : list[d];
}

}  // namespace xnnpack

#endif  // XNNPACK_LAYOUT_H_
