// Accessor: the elements of a tensor of N dimensions, by position, without checks. For loops.
//
//   const auto a = x.accessor<float, 2>();
//   for (int64_t i = 0; i < a.size(0); ++i) sum += a[i][0] + a(i, 1);
//
// Positions: 0 … size(d) - 1. Tensor::at checks them. The same as at::TensorAccessor, with any
// strides.
// Owns: nothing. It is valid while the tensor lives and keeps its geometry.
// Threads: as the elements.
// Errors: none; a position out of range reads or writes elsewhere.
#ifndef SWITCHYARD_CORE_ACCESSOR_H_
#define SWITCHYARD_CORE_ACCESSOR_H_

#include <concepts>
#include <cstdint>

namespace sy {

// T: the element type, const where nothing is written. Three pointers, to be passed by value.
template <class T, int N>
class Accessor {
 public:
  // sizes, strides: N each; strides in elements.
  Accessor(T* data, const int64_t* sizes, const int64_t* strides)
      : data_(data), sizes_(sizes), strides_(strides) {}

  // The first element.
  T* data() const { return data_; }
  int64_t size(int d) const { return sizes_[d]; }
  int64_t stride(int d) const { return strides_[d]; }

  // The element at i, or, in front of more dimensions, what lies behind i in them.
  decltype(auto) operator[](int64_t i) const {
    if constexpr (N == 1) {
      return static_cast<T&>(data_[i * strides_[0]]);
    } else {
      return Accessor<T, N - 1>(data_ + i * strides_[0], sizes_ + 1, strides_ + 1);
    }
  }
  // Of all positions at once: one address computed, no accessors in between.
  template <std::integral... I>
  requires(sizeof...(I) == N) T& operator()(I... i) const {
    const int64_t* stride = strides_;
    int64_t offset = 0;
    ((offset += static_cast<int64_t>(i) * *stride++), ...);
    return data_[offset];
  }

 private:
  T* data_;
  const int64_t *sizes_, *strides_;
};

}  // namespace sy

#endif  // SWITCHYARD_CORE_ACCESSOR_H_
